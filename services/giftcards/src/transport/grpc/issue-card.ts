import { notFound } from '#platform/errors.ts';
import type { UnaryHandler } from '#platform/grpc/server.ts';
import { originOf } from '#platform/kafka/event-origin.ts';
import type { IssueCardRequest, IssueCardResponse } from '#proto/giftcards/v1/giftcards.ts';
import type { createIssueCard } from '../../domain/issue-card.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import { merchantOf, toCardMessage, toMinor, withoutMarkup } from './render.ts';

export function issueCardRpc(
  issueCard: ReturnType<typeof createIssueCard>,
  secrets: CardSecrets,
): UnaryHandler<IssueCardRequest, IssueCardResponse> {
  return async (request, { caller }) => {
    const merchantId = merchantOf(caller);
    const { program } = request;
    if (program === undefined || program.merchantId !== merchantId) throw notFound('program');
    const issued = await issueCard({
      origin: originOf(caller),
      merchantId,
      programId: program.id,
      currency: program.currency,
      expiryDaysDefault: program.cardExpiryDays,
      initialValueMinor: toMinor(request.initialValueMinor),
      expiresAt: request.expiresAt,
      idempotencyKey: request.idempotencyKey,
      profile: {
        customerEmail: request.customerEmail,
        customerPhone: request.customerPhone,
        customerName: withoutMarkup(request.customerName),
        senderName: withoutMarkup(request.senderName),
        merchantName: program.merchantName,
        isPhysical: request.isPhysical,
        designTemplate: request.designTemplate,
        customMessage: withoutMarkup(request.customMessage),
        deliverAt: request.deliverAt,
        delivered: false,
      },
    });
    const { securityCode, replayed } = issued;
    return { card: toCardMessage(issued.card, secrets), securityCode, replayed };
  };
}
