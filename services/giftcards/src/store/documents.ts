import mongoose, { type mongo } from 'mongoose';
import type { Card } from '../domain/card.ts';
import type { LedgerEntry } from '../domain/entry.ts';
import { assertMinor } from '../domain/money.ts';
import type { CardDocument } from './card-schema.ts';
import type { EntryDocument } from './entry-schema.ts';

type ObjectId = mongo.BSON.ObjectId;

/** A 24-hex id as the database holds it. */
export function objectId(id: string): ObjectId {
  return mongoose.mongo.ObjectId.createFromHexString(id);
}

export function toCardDocument(card: Card): CardDocument {
  const { id, merchantId, programId, customerId, ...rest } = card;
  assertMinor(card.balanceMinor);
  return {
    _id: objectId(id),
    merchantId: objectId(merchantId),
    programId: objectId(programId),
    ...(customerId === undefined ? {} : { customerId: objectId(customerId) }),
    ...searchFields(card),
    ...rest,
  };
}

/** What the search matches from the beginning, in one case. */
export function searchFields(card: Pick<Card, 'customerEmail' | 'customerName'>) {
  return {
    customerEmailLower: card.customerEmail?.toLowerCase(),
    customerNameLower: card.customerName?.toLowerCase(),
  };
}

export function toCard(document: CardDocument): Card {
  const { _id, merchantId, programId, customerId, customerEmailLower: _e, customerNameLower: _n, ...rest } = document;
  assertMinor(document.balanceMinor);
  return {
    ...rest,
    id: _id.toHexString(),
    merchantId: merchantId.toHexString(),
    programId: programId.toHexString(),
    customerId: customerId?.toHexString(),
  };
}

export function toEntryDocument(entry: LedgerEntry): EntryDocument {
  const { id, merchantId, programId, cardId, transferId, refundOf, ...rest } = entry;
  assertMinor(entry.amountMinor);
  return {
    _id: objectId(id),
    merchantId: objectId(merchantId),
    programId: objectId(programId),
    cardId: objectId(cardId),
    ...(transferId === undefined ? {} : { transferId: objectId(transferId) }),
    ...(refundOf === undefined ? {} : { refundOf: objectId(refundOf) }),
    ...rest,
  };
}

export function toEntry(document: EntryDocument): LedgerEntry {
  const { _id, merchantId, programId, cardId, transferId, refundOf, ...rest } = document;
  assertMinor(document.amountMinor);
  return {
    ...rest,
    id: _id.toHexString(),
    merchantId: merchantId.toHexString(),
    programId: programId.toHexString(),
    cardId: cardId.toHexString(),
    transferId: transferId?.toHexString(),
    refundOf: refundOf?.toHexString(),
  };
}
