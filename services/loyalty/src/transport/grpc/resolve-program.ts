import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ProgramReference } from '#proto/common/v1/common.ts';
import type { GetProgramRequest } from '#proto/loyalty/v1/loyalty.ts';
import type { LoyaltyContext } from '../../domain/ports.ts';
import { merchantName } from '../../domain/program.ts';
import { resolveProgram } from '../../domain/resolve-program.ts';

export function resolveProgramRpc(context: LoyaltyContext): UnaryHandler<GetProgramRequest, ProgramReference> {
  return async (request, { caller }) => {
    const program = await resolveProgram(context, caller, request.id);
    const { id, merchantId, name, currency, giftCard } = program;
    return {
      ...{ id, merchantId, name, currency },
      merchantName: merchantName(program),
      cardExpiryDays: giftCard.expiryDays,
      bulkThreshold: giftCard.bulkThreshold,
    };
  };
}
