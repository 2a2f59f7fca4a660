import type { Minor } from './money.ts';

/** The reference's transaction types that the ledger writes. */
export type EntryType =
  | 'ACTIVATION'
  | 'RELOAD'
  | 'REDEMPTION'
  | 'REFUND'
  | 'TRANSFER_OUT'
  | 'TRANSFER_IN'
  | 'CONSOLIDATION'
  | 'VOID'
  | 'EXPIRATION';

/** What the caller said about a move; kept as it came. */
export interface EntryNotes {
  readonly referenceId?: string;
  readonly description?: string;
  readonly posTransactionId?: string;
  readonly cashierId?: string;
  readonly terminalId?: string;
}

/** One immutable line of a card's ledger. A card's balance is the sum of its entries' amounts. */
export interface LedgerEntry extends EntryNotes {
  readonly id: string;
  readonly merchantId: string;
  readonly programId: string;
  readonly cardId: string;
  /** 1 for the card's first entry, without gaps. */
  readonly sequence: number;
  readonly type: EntryType;
  /** Signed: negative takes from the card. */
  readonly amountMinor: Minor;
  readonly balanceBeforeMinor: Minor;
  readonly balanceAfterMinor: Minor;
  readonly currency: string;
  /** Shared by the two entries of a transfer. */
  readonly transferId?: string;
  /** The redemption that a REFUND gives back. */
  readonly refundOf?: string;
  readonly createdAt: Date;
}
