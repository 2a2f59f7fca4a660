import type { Minor } from './money.ts';

export const cardStatuses = ['pending', 'active', 'suspended', 'expired', 'voided', 'depleted'] as const;
export type CardStatus = (typeof cardStatuses)[number];

/** What is written about the card's holder and looks; the ledger never reads it. */
export interface CardProfile {
  readonly customerId?: string;
  readonly customerEmail?: string;
  readonly customerPhone?: string;
  readonly customerName?: string;
  readonly senderName?: string;
  readonly merchantName?: string;
  readonly isPhysical: boolean;
  readonly designTemplate?: string;
  readonly customMessage?: string;
  readonly deliverAt?: Date;
  readonly delivered: boolean;
}

/** A gift card as the ledger holds it. The number is sealed, the security code only a keyed hash. */
export interface Card extends CardProfile {
  readonly id: string;
  readonly merchantId: string;
  readonly programId: string;
  /** Rises by one with each change; every update is conditional on it. */
  readonly version: number;
  /** How many ledger entries the card has; the newest one's sequence. */
  readonly entryCount: number;
  readonly sealedNumber: string;
  readonly numberHash: string;
  readonly lastFourDigits: string;
  readonly codeHash: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly balanceMinor: Minor;
  readonly initialValueMinor: Minor;
  readonly status: CardStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly activatedAt?: Date;
  readonly expiresAt: Date;
  readonly suspendedReason?: string;
  readonly suspendedAt?: Date;
  readonly suspendedUntil?: Date;
}

/** Statuses that turn into `expired` once expiresAt has passed. */
export const expirableStatuses: readonly CardStatus[] = ['pending', 'active', 'suspended', 'depleted'];

/**
 * The card as it stands at `now`: past its expiry it is expired, whether a sweep came by or not, and a suspension
 * whose end has passed is lifted. Balance and version stay.
 */
export function settleCard(card: Card, now: Date): Card {
  if (expirableStatuses.includes(card.status) && card.expiresAt <= now) return { ...card, status: 'expired' };
  if (card.status === 'suspended' && card.suspendedUntil !== undefined && card.suspendedUntil <= now) {
    return liftSuspension(card);
  }
  return card;
}

/** The card without its suspension, active again. */
export function liftSuspension(card: Card): Card {
  return { ...card, status: 'active', suspendedReason: undefined, suspendedAt: undefined, suspendedUntil: undefined };
}
