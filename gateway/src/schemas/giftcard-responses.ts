import { z } from 'zod';
import { instant, money, nullableText, recordId } from './common.ts';
import { oneOf } from './primitives.ts';

export const cardStatus = () => oneOf('pending', 'active', 'suspended', 'expired', 'voided', 'depleted');

const PassCard = z
  .strictObject({
    serialNumber: z.string(),
    passTypeIdentifier: z.string(),
    url: z.string().meta({ format: 'uri', description: 'Shareable address of the pass.' }),
  })
  .meta({ id: 'PassCard' });

const cardFields = {
  id: recordId(),
  cardNumber: z.string().meta({ examples: ['6034930000000017'] }),
  balance: money(),
  initialValue: money(),
  status: cardStatus(),
  createdAt: instant(),
  updatedAt: instant().nullable(),
  activatedAt: instant().nullable(),
  expiresAt: instant(),
  suspendedReason: nullableText(),
  suspendedUntil: instant().nullable(),
  suspendedAt: instant().nullable(),
  customerId: recordId().nullable(),
  customerEmail: nullableText(),
  customerPhone: nullableText(),
  customerName: nullableText(),
  merchantId: recordId(),
  isPhysical: z.boolean(),
  designTemplate: nullableText(),
  customMessage: nullableText(),
  lastFourDigits: z.string().meta({ examples: ['0017'] }),
  programId: recordId(),
  card: PassCard.nullable(),
  senderName: nullableText(),
  merchantName: nullableText(),
  deliverAt: instant().nullable(),
  delivered: z.boolean(),
};

export const GiftCardResponse = z.strictObject(cardFields).meta({ id: 'GiftCardResponse' });

/** The security code is shown this once, and not in a replayed answer. */
export const IssuedGiftCardResponse = z
  .strictObject({
    ...cardFields,
    securityCode: z
      .string()
      .optional()
      .meta({ examples: ['123456'] }),
  })
  .meta({ id: 'IssuedGiftCardResponse' });

export const TransactionResponse = z
  .strictObject({
    id: recordId(),
    transactionType: oneOf(
      'PURCHASE',
      'ACTIVATION',
      'RELOAD',
      'REDEMPTION',
      'CONSOLIDATION',
      'VOID',
      'TRANSFER_OUT',
      'TRANSFER_IN',
      'OWNERSHIP_TRANSFER',
      'RESEND_CODE',
      'REFUND',
      'EXPIRATION',
    ),
    amount: money().meta({ description: 'Signed: negative takes from the card.' }),
    balanceBefore: money(),
    balanceAfter: money(),
    referenceId: nullableText(),
    description: nullableText(),
    createdAt: instant(),
    processedAt: instant(),
    merchantId: recordId(),
    posTransactionId: nullableText(),
    cashierId: nullableText(),
    terminalId: nullableText(),
    transferId: recordId().nullable().meta({ description: 'Joins the two entries of a transfer.' }),
  })
  .meta({ id: 'TransactionResponse' });

export const GiftCardDetailResponse = z
  .strictObject({ ...cardFields, transactions: z.array(TransactionResponse).optional() })
  .meta({ id: 'GiftCardDetailResponse' });

export const RedeemResponse = z
  .strictObject({
    transactionId: recordId(),
    giftCardId: recordId(),
    amountRedeemed: money(),
    remainingBalance: money(),
    success: z.literal(true),
    message: z.string(),
  })
  .meta({ id: 'RedeemResponse' });

export const RefundResponse = z
  .strictObject({
    transactionId: recordId(),
    giftCardId: recordId(),
    refundedAmount: money(),
    remainingBalance: money(),
    success: z.literal(true),
    message: z.string(),
  })
  .meta({ id: 'RefundResponse' });

export const ExpiredCardProcessingResponse = z
  .strictObject({
    success: z.literal(true),
    cardId: recordId(),
    action: z.string().meta({ examples: ['void'] }),
    message: z.string(),
    newExpiresAt: instant().nullable(),
    transactionId: recordId().nullable(),
  })
  .meta({ id: 'ExpiredCardProcessingResponse' });

export const TransferBalanceResponse = z
  .strictObject({
    success: z.literal(true),
    message: z.string(),
    transferId: recordId(),
    sourceCard: z
      .strictObject({ id: recordId(), cardNumber: z.string(), remainingBalance: money(), status: cardStatus() })
      .meta({ id: 'TransferBalanceSourceCard' }),
    destinationCard: z
      .strictObject({ id: recordId(), cardNumber: z.string(), newBalance: money() })
      .meta({ id: 'TransferBalanceDestCard' }),
    amountTransferred: money(),
  })
  .meta({ id: 'TransferBalanceResponse' });

export const BalanceCheckResponse = z
  .strictObject({
    id: recordId(),
    programId: recordId(),
    cardNumber: z.string().meta({ description: 'Masked but for the last four.', examples: ['************0017'] }),
    lastFourDigits: z.string().meta({ examples: ['0017'] }),
    balance: money(),
    status: cardStatus(),
    expiresAt: instant(),
    isActive: z.boolean(),
  })
  .meta({ id: 'BalanceCheckResponse' });
