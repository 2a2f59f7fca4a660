import { createHash } from 'node:crypto';
import type { EventOrigin } from '#platform/kafka/event-origin.ts';
import type { Card, CardStatus } from './card.ts';
import type { Answer, IdempotencyClaim, LedgerResult } from './ledger-command.ts';
import { toDecimal } from './money.ts';
import type { CardSecrets } from './ports.ts';

/** Which card an operation is about, for whom, and how a repeat of it is recognised. */
export interface CardTarget {
  /** Who asks: for the events, and no part of what is asked. */
  readonly origin: EventOrigin;
  readonly merchantId: string;
  readonly programId: string;
  readonly cardId: string;
  readonly idempotencyKey?: string;
}

/** A card after an operation. */
export interface CardChange {
  readonly card: Card;
  readonly replayed: boolean;
}

/** One ledger entry's effect, as redeem, refund and void answer it. */
export interface BalanceChange {
  readonly transactionId: string;
  readonly cardId: string;
  /** Unsigned, minor units. */
  readonly amountMinor: number;
  readonly balanceMinor: number;
  readonly currency: string;
  readonly status: CardStatus;
  readonly replayed: boolean;
}

/**
 * Claims an idempotency key for program + action + cards; undefined without a key. The fingerprint is of everything
 * that was asked, so the same key with another request is told apart.
 */
export function claimIdempotency(
  secrets: CardSecrets,
  target: Omit<CardTarget, 'cardId' | 'origin'>,
  scope: { readonly action: string; readonly cardIds: readonly string[]; readonly request: object },
): IdempotencyClaim | undefined {
  if (target.idempotencyKey === undefined) return undefined;
  const parts = [target.merchantId, target.programId, scope.action, ...scope.cardIds, target.idempotencyKey];
  const recordId = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { recordId, fingerprint: secrets.fingerprint(scope.request) };
}

/** The part of a card that operations change, for a repeat's answer. */
export function snapshotCard(card: Card): Answer {
  return {
    cardId: card.id,
    balanceMinor: card.balanceMinor,
    status: card.status,
    updatedAt: card.updatedAt,
    activatedAt: card.activatedAt,
    expiresAt: card.expiresAt,
    suspendedReason: card.suspendedReason,
    suspendedAt: card.suspendedAt,
    suspendedUntil: card.suspendedUntil,
  };
}

/** The card as the operation left it: from the ledger, or for a repeat with what it was then laid over it. */
export function toCardChange(result: LedgerResult, current = result.cards.values().next().value): CardChange {
  if (current === undefined) throw new Error('the card of an idempotency record is missing');
  const { cardId: _, ...then } = result.answer;
  return { card: result.replayed ? ({ ...current, ...then } as Card) : current, replayed: result.replayed };
}

/** A balance change from a command that answered with one. */
export function toBalanceChange(result: LedgerResult): BalanceChange {
  return { ...(result.answer as unknown as Omit<BalanceChange, 'replayed'>), replayed: result.replayed };
}

/** What events tell of a card: never its number. */
export function cardEventData(card: Card): Record<string, unknown> {
  return {
    cardId: card.id,
    programId: card.programId,
    lastFourDigits: card.lastFourDigits,
    status: card.status,
    balance: toDecimal(card.balanceMinor),
    currency: card.currency,
  };
}
