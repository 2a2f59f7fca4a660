import type { CardTarget } from '#proto/giftcards/v1/giftcards.ts';
import type { Context } from '../../context.ts';
import { refusals } from '../../errors.ts';

type KeyHeader = { readonly 'idempotency-key'?: string | undefined };

/** The card of a path in a program of the caller's, with the request's idempotency key. */
export async function targetOf(
  params: { readonly programId: string; readonly cardId: string },
  headers: KeyHeader | undefined,
  { services, caller }: Context,
): Promise<CardTarget> {
  const program = await services.programs.resolve(params.programId, caller);
  return { programId: program.id, cardId: params.cardId, idempotencyKey: headers?.['idempotency-key'] };
}

/** @throws {AppError} `merchant_not_found` unless the merchant is absent or the caller's own. */
export function requireOwnMerchant(merchantId: string | undefined, { caller }: Context): void {
  if (merchantId !== undefined && merchantId !== caller.merchantId) throw refusals.merchantNotFound();
}
