import type { DomainEvent } from '#platform/kafka/kafka.ts';
import type { Card } from './card.ts';
import type { LedgerEntry } from './entry.ts';

/** Makes, seals and compares what is cash: card numbers and security codes. */
export interface CardSecrets {
  /** A fresh 16-digit number with a Luhn check digit, sealed for this card. */
  newNumber(cardId: string): { sealed: string; hash: string; lastFourDigits: string };
  /** A fresh 6-digit code. */
  newCode(cardId: string): { code: string; hash: string };
  openNumber(card: Pick<Card, 'id' | 'sealedNumber'>): string;
  hashNumber(cardNumber: string): string;
  hashCode(cardId: string, code: string): string;
  /** A keyed hash of a request, safe to store though a security code is part of it. */
  fingerprint(request: unknown): string;
}

/** A window over a list, newest first. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

export interface CardFilter {
  readonly programId: string;
  readonly status?: string;
  readonly positiveBalance?: boolean;
  readonly cardId?: string;
  readonly query?: string;
}

/** Reads of cards. All are of the caller's merchant only. */
export interface CardReader {
  get(merchantId: string, cardId: string): Promise<Card | undefined>;
  list(merchantId: string, filter: CardFilter, page: PageWindow): Promise<{ cards: Card[]; total: number }>;
  /** By number, whoever's it is: the number is the credential. */
  findByNumber(numberHash: string): Promise<Card | undefined>;
  /** Which card has this number; a fact that never changes. */
  resolveNumber(numberHash: string): Promise<string | undefined>;
}

export interface EntryReader {
  list(card: Card, query: string | undefined, page: PageWindow): Promise<{ entries: LedgerEntry[]; total: number }>;
}

/** A wrong security code, for a card (its id) or for a number that no card has (the number's hash). */
export interface CodeFailure {
  readonly subject: string;
  readonly at: Date;
}

/** The last wrong security codes by subject. */
export interface CodeAttempts {
  /** Counts an attempt before it is judged, so that attempts at once cannot outrun the limit. */
  reserve(subject: string, now: Date): Promise<{ attemptId: string; lockedForMs: number }>;
  /** Takes back an attempt whose code was right, or that was refused unjudged. */
  forgive(subject: string, attemptId: string): Promise<void>;
  /** The failures of these subjects, oldest first; absent: none. */
  load(subjects: readonly string[]): Promise<ReadonlyMap<string, readonly Date[]>>;
  /** Adds failures that the ledger found. */
  recordFailures(failures: readonly CodeFailure[]): Promise<void>;
}

/** What a money move left for a repeat of it; written in the move's own transaction. */
export interface IdempotencyRecord {
  /** Hash of merchant, program, action, cards and key. */
  readonly id: string;
  readonly merchantId: string;
  readonly fingerprint: string;
  readonly action: string;
  readonly cardIds: readonly string[];
  /** The entries that the move wrote; each must exist. */
  readonly entryIds: readonly string[];
  /** The first answer, without anything secret. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** What a group of commands reads, all at once. */
export interface LedgerState {
  readonly cards: ReadonlyMap<string, Card>;
  readonly idempotency: ReadonlyMap<string, IdempotencyRecord>;
  /** Redemptions to refund and the refunds that they already have. */
  readonly redemptions: ReadonlyMap<string, LedgerEntry>;
  readonly refunds: readonly LedgerEntry[];
}

export interface LedgerStateRequest {
  readonly cardIds: readonly string[];
  readonly idempotencyIds: readonly string[];
  readonly redemptionIds: readonly string[];
}

/** Everything a group of commands changed; it commits as one. */
export interface LedgerCommit {
  readonly at: Date;
  readonly updates: readonly { readonly before: Card; readonly after: Card }[];
  readonly inserts: readonly Card[];
  readonly entries: readonly LedgerEntry[];
  readonly idempotency: readonly IdempotencyRecord[];
  readonly events: readonly DomainEvent[];
}

export interface LedgerStore {
  load(request: LedgerStateRequest): Promise<LedgerState>;
  /**
   * One transaction; every update is conditional on the version and balance of `before`.
   * @returns false when another writer came first and nothing was written.
   * @throws AppError `unavailable` when the outcome cannot be known.
   */
  commit(commit: LedgerCommit): Promise<boolean>;
}

export type Clock = () => Date;
