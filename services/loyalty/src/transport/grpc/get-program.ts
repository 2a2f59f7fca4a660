import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { GetProgramRequest, Program } from '#proto/loyalty/v1/loyalty.ts';
import { getProgram } from '../../domain/get-program.ts';
import type { LoyaltyContext } from '../../domain/ports.ts';
import { toProgramMessage } from './messages.ts';

export function getProgramRpc(context: LoyaltyContext): UnaryHandler<GetProgramRequest, Program> {
  return async ({ id }, { caller }) => toProgramMessage(await getProgram(context, caller, id));
}
