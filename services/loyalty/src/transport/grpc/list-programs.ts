import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ListProgramsRequest, ListProgramsResponse } from '#proto/loyalty/v1/loyalty.ts';
import { listPrograms } from '../../domain/list-programs.ts';
import type { LoyaltyContext } from '../../domain/ports.ts';
import { toProgramMessage } from './messages.ts';

export function listProgramsRpc(context: LoyaltyContext): UnaryHandler<ListProgramsRequest, ListProgramsResponse> {
  return async ({ page, programId }, { caller }) => {
    const { programs, total } = await listPrograms(context, caller, page ?? { offset: 0, limit: 0 }, programId);
    return { programs: programs.map(toProgramMessage), total };
  };
}
