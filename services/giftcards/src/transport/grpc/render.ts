import { AppError, notFound } from '#platform/errors.ts';
import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { originOf } from '#platform/kafka/event-origin.ts';
import type {
  BalanceChange,
  Card as CardMessage,
  CardTarget as TargetMessage,
  Transaction,
} from '#proto/giftcards/v1/giftcards.ts';
import type { Card } from '../../domain/card.ts';
import type { CardTarget, BalanceChange as DomainBalanceChange } from '../../domain/card-answer.ts';
import type { LedgerEntry } from '../../domain/entry.ts';
import { refusal } from '../../domain/errors.ts';
import { assertMinor } from '../../domain/money.ts';
import type { CardSecrets } from '../../domain/ports.ts';

/** The merchant that a call is made for; public and operator callers have none. */
export function merchantOf(caller: Caller): string {
  if (!isId(caller.merchantId)) throw new AppError('unauthenticated', 'unauthorized', 'This call needs a merchant.');
  return caller.merchantId;
}

/** An amount of a message as the domain counts it. */
export function toMinor(amount: bigint): number {
  return assertMinor(Number(amount));
}

/** Parses which card an operation is about. What is no id is no card. */
export function toTarget(caller: Caller, target: TargetMessage | undefined): CardTarget {
  const merchantId = merchantOf(caller);
  if (target === undefined || !isId(target.programId)) throw notFound('program');
  if (!isId(target.cardId)) throw refusal.cardNotFound();
  const { programId, cardId, idempotencyKey } = target;
  return { origin: originOf(caller), merchantId, programId, cardId, idempotencyKey };
}

/** Renders a card with its number: the caller is its merchant. */
export function toCardMessage(card: Card, secrets: CardSecrets): CardMessage {
  const { balanceMinor, initialValueMinor, sealedNumber: _s, numberHash: _n, codeHash: _c, ...rest } = card;
  return {
    ...rest,
    activatedAt: card.activatedAt,
    suspendedAt: card.suspendedAt,
    suspendedUntil: card.suspendedUntil,
    deliverAt: card.deliverAt,
    cardNumber: secrets.openNumber(card),
    balanceMinor: BigInt(balanceMinor),
    initialValueMinor: BigInt(initialValueMinor),
  };
}

export function toTransactionMessage(entry: LedgerEntry): Transaction {
  return {
    ...entry,
    transactionType: entry.type,
    amountMinor: BigInt(entry.amountMinor),
    balanceBeforeMinor: BigInt(entry.balanceBeforeMinor),
    balanceAfterMinor: BigInt(entry.balanceAfterMinor),
  };
}

export function toBalanceChangeMessage(change: DomainBalanceChange): BalanceChange {
  return { ...change, amountMinor: BigInt(change.amountMinor), balanceMinor: BigInt(change.balanceMinor) };
}

/** Takes markup out of a text that pages will show. */
export function withoutMarkup(text: string | undefined): string | undefined {
  return text?.replace(/<[^>]*>?/g, '').trim();
}
