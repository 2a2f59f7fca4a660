import type { z } from 'zod';
import type { Card, Transaction } from '#proto/giftcards/v1/giftcards.ts';
import type { Answer } from '../../routes/route.ts';
import type { cardStatus, GiftCardResponse, TransactionResponse } from '../../schemas/giftcard-responses.ts';
import { formatMinorUnits } from '../../validation/decimal.ts';
import { iso, isoAlways, present, textOrNull } from '../render.ts';

export type CardStatus = z.output<ReturnType<typeof cardStatus>>;

type CardView = z.input<typeof GiftCardResponse>;
type TransactionView = z.input<typeof TransactionResponse>;

export function renderCard(given: Card | undefined): CardView {
  const card = present(given, 'card');
  return {
    id: card.id,
    cardNumber: card.cardNumber,
    balance: formatMinorUnits(card.balanceMinor),
    initialValue: formatMinorUnits(card.initialValueMinor),
    status: card.status as CardStatus,
    createdAt: isoAlways(card.createdAt, 'createdAt'),
    updatedAt: iso(card.updatedAt),
    activatedAt: iso(card.activatedAt),
    expiresAt: isoAlways(card.expiresAt, 'expiresAt'),
    suspendedReason: textOrNull(card.suspendedReason),
    suspendedUntil: iso(card.suspendedUntil),
    suspendedAt: iso(card.suspendedAt),
    customerId: textOrNull(card.customerId),
    customerEmail: textOrNull(card.customerEmail),
    customerPhone: textOrNull(card.customerPhone),
    customerName: textOrNull(card.customerName),
    merchantId: card.merchantId,
    isPhysical: card.isPhysical,
    designTemplate: textOrNull(card.designTemplate),
    customMessage: textOrNull(card.customMessage),
    lastFourDigits: card.lastFourDigits,
    programId: card.programId,
    card: null,
    senderName: textOrNull(card.senderName),
    merchantName: textOrNull(card.merchantName),
    deliverAt: iso(card.deliverAt),
    delivered: card.delivered,
  };
}

export function renderTransaction(entry: Transaction): TransactionView {
  const createdAt = isoAlways(entry.createdAt, 'createdAt');
  return {
    id: entry.id,
    transactionType: entry.transactionType as TransactionView['transactionType'],
    amount: formatMinorUnits(entry.amountMinor),
    balanceBefore: formatMinorUnits(entry.balanceBeforeMinor),
    balanceAfter: formatMinorUnits(entry.balanceAfterMinor),
    referenceId: textOrNull(entry.referenceId),
    description: textOrNull(entry.description),
    createdAt,
    // An entry is written when it is processed: the ledger knows no other time.
    processedAt: createdAt,
    merchantId: entry.merchantId,
    posTransactionId: textOrNull(entry.posTransactionId),
    cashierId: textOrNull(entry.cashierId),
    terminalId: textOrNull(entry.terminalId),
    transferId: textOrNull(entry.transferId),
  };
}

const replayedHeaders = { 'Idempotency-Replayed': 'true' } as const;

/** Marks the answer of a repeat under the same idempotency key. */
export function replayable<Body>(body: Body, replayed: boolean): Answer<Body> {
  return replayed ? { body, headers: replayedHeaders } : { body };
}
