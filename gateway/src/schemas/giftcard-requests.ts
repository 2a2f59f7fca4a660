import { z } from 'zod';
import { pagingFields, queryFlag, queryId, searchText } from './common.ts';
import { cardStatus } from './giftcard-responses.ts';
import { amount, body, boolean, dateTime, email, id, optional, phone, text } from './primitives.ts';

export const CardPath = z.object({ programId: id('The program.'), cardId: id('The gift card.') });

export const TransactionPath = CardPath.extend({ transactionId: id('The redemption to refund.') });

const penny = 1n;
const moveMax = 500_000n;
const initialValueMax = 1_000_000n;

const reference = () => optional(text({ max: 100, example: 'order-4711' }));
const description = () => optional(text({ max: 500 }));
const personName = () => optional(text({ max: 255, example: 'Ada Lovelace' }));
const cardNumber = () => text({ min: 1, max: 20, example: '6034930000000017' });
const customMessage = () => optional(text({ max: 500 }));

export const ListCardsQuery = z.object({
  ...pagingFields,
  merchant_id: queryId("The caller's own merchant."),
  status: cardStatus().optional(),
  positive_balance: queryFlag('Only cards with something left on them.'),
  cardId: queryId('Narrows the answer to this card.'),
  q: searchText("Card number, last four digits, or the beginning of the customer's name or e-mail."),
});

export const GetCardQuery = z.object({
  include_transactions: queryFlag('Adds `transactions`, newest first, at most 250.'),
});

export const ListTransactionsQuery = z.object({
  ...pagingFields,
  q: searchText('A transaction type, or a part of the reference or description.'),
});

/** 12 to 19 digits (ISO/IEC 7812-1), as a till or a person types them. One whose check digit is wrong is no card's. */
export const LookUpCardQuery = z.object({
  cardNumber: text({
    pattern: /^\d(?:[ -]?\d){11,18}$/,
    example: '6034930000000017',
    description: 'The whole number; single spaces or dashes between its digits do not count.',
  }),
});

/** The query parameter of an operation on no card in particular; a card that is not this one is not found. */
export const CardQuery = z.object({ cardId: queryId('Narrows the answer to this card.') });

export const CustomerBalanceCheckQuery = CardQuery.extend({
  programId: queryId('Narrows the answer to cards of this program.'),
});

export const CreateGiftCardRequest = body({
  initialValue: amount({ ge: penny, le: initialValueMax }),
  merchantId: optional(id("The caller's own merchant.")),
  customerEmail: optional(email()),
  customerPhone: optional(phone()),
  customerName: personName(),
  senderName: personName(),
  expiresAt: optional(dateTime()),
  isPhysical: boolean('Whether the card is printed.').default(false),
  designTemplate: reference(),
  customMessage: customMessage(),
  deliverAt: optional(dateTime()),
}).meta({ id: 'CreateGiftCardRequest' });

export const ActivateGiftCardRequest = body({
  customerEmail: optional(email()),
  customerPhone: optional(text({ max: 50 })),
  customerName: personName(),
  securityCode: optional(text({ max: 6, example: '123456' })),
}).meta({ id: 'ActivateGiftCardRequest' });

export const ReloadGiftCardRequest = body({
  amount: amount({ ge: penny, le: moveMax }),
  referenceId: reference(),
  description: description(),
}).meta({ id: 'ReloadGiftCardRequest' });

export const RedeemGiftCardRequest = body({
  amount: amount({ ge: penny }),
  posTransactionId: reference(),
  cashierId: optional(text({ max: 50 })),
  terminalId: optional(text({ max: 50 })),
  description: description(),
}).meta({ id: 'RedeemGiftCardRequest' });

export const RefundGiftCardRequest = body({
  amount: optional(amount({ gt: 0n })),
  reason: description(),
  posTransactionId: reference(),
}).meta({ id: 'RefundGiftCardRequest' });

export const SuspendGiftCardRequest = body({
  reason: text({ min: 1, max: 500, example: 'Reported lost' }),
  expiresAt: optional(dateTime()),
}).meta({ id: 'SuspendGiftCardRequest' });

export const UnsuspendGiftCardRequest = body({}).meta({ id: 'UnsuspendGiftCardRequest' });

export const VoidGiftCardRequest = body({
  reason: text({ min: 1, max: 1000, example: 'Issued by mistake' }),
  refundReference: reference(),
}).meta({ id: 'VoidGiftCardRequest' });

/** An amount of 0 or less is a 400 `invalid_amount`, which giftcards answers. */
export const TransferBalanceRequest = body({
  securityCode: text({ min: 6, max: 6, example: '123456' }),
  destinationCardNumber: cardNumber(),
  amount: amount({ le: moveMax }),
  description: description(),
  referenceId: reference(),
}).meta({ id: 'TransferBalanceRequest' });

export const BalanceCheckRequest = body({
  cardNumber: cardNumber(),
  securityCode: text({ min: 1, max: 6, example: '123456' }),
  captchaToken: optional(text({ max: 4096 })),
}).meta({ id: 'BalanceCheckRequest' });
