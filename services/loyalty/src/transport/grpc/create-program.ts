import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CreateProgramRequest, Program } from '#proto/loyalty/v1/loyalty.ts';
import { createProgram } from '../../domain/create-program.ts';
import type { LoyaltyContext } from '../../domain/ports.ts';
import { toProgramMessage } from './messages.ts';

/** Proto3's zero values (empty text, 0) stand for what was not given. */
export function createProgramRpc(context: LoyaltyContext): UnaryHandler<CreateProgramRequest, Program> {
  return async ({ type, currency, giftCard, ...request }, { caller }) => {
    const settings = {
      expiryDays: giftCard?.expiryDays || undefined,
      bulkThreshold: giftCard?.bulkThreshold || undefined,
    };
    const draft = { ...request, type: type || undefined, currency: currency || undefined, giftCard: settings };
    return toProgramMessage(await createProgram(context, caller, draft));
  };
}
