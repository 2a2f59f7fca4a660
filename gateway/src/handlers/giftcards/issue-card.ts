import type { Handler } from '../../routes/route.ts';
import { IdempotencyHeaders } from '../../schemas/common.ts';
import { CardQuery, CreateGiftCardRequest } from '../../schemas/giftcard-requests.ts';
import type { IssuedGiftCardResponse } from '../../schemas/giftcard-responses.ts';
import { ProgramPath } from '../../schemas/loyalty.ts';
import { renderCard, replayable } from './card-view.ts';
import { requireOwnMerchant } from './request-parts.ts';

export const issueCardShapes = {
  params: ProgramPath,
  query: CardQuery,
  headers: IdempotencyHeaders,
  body: CreateGiftCardRequest,
};

/** Makes a pending card. The call is never repeated by itself: a replay would lack the security code. */
export const issueCard: Handler<typeof issueCardShapes, typeof IssuedGiftCardResponse> = async (
  { params, headers, body },
  context,
) => {
  const program = await context.services.programs.resolve(params.programId, context.caller);
  requireOwnMerchant(body.merchantId, context);
  const answer = await context.services.clients.giftcards.issueCard(
    {
      program,
      initialValueMinor: body.initialValue,
      expiresAt: body.expiresAt,
      isPhysical: body.isPhysical,
      designTemplate: body.designTemplate,
      customMessage: body.customMessage,
      customerEmail: body.customerEmail,
      customerPhone: body.customerPhone,
      customerName: body.customerName,
      senderName: body.senderName,
      deliverAt: body.deliverAt,
      idempotencyKey: headers['idempotency-key'],
    },
    context.caller,
    context.changing(),
  );
  const securityCode = answer.replayed ? undefined : answer.securityCode;
  return replayable({ ...renderCard(answer.card), ...(securityCode && { securityCode }) }, answer.replayed);
};
