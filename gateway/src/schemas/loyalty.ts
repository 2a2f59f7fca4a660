import { z } from 'zod';
import { currencies } from '#platform/currency.ts';
import { instant, nullableText, pagingFields, queryId, recordId } from './common.ts';
import { body, email, httpUrl, id, integer, oneOf, optional, text } from './primitives.ts';

export const ProgramPath = z.object({ programId: id('The program.') });

export const ListProgramsQuery = z.object({
  ...pagingFields,
  programId: queryId('Narrows the answer to this program.'),
});

const programType = () => oneOf('LOYALTY', 'GIFT_CARD');
export const expiryDaysDefault = 365;
export const bulkThresholdDefault = 50;

const GiftCardSettings = body({
  expiryDays: integer({ min: 1, max: 1825, description: 'Days from issue to expiry.' }).default(expiryDaysDefault),
  bulkThreshold: integer({
    min: 1,
    max: 10_000,
    description: 'Up to this many cards are issued inside the request.',
  }).default(bulkThresholdDefault),
}).meta({ id: 'GiftCardSettings' });

export const CreateProgramRequest = body({
  name: text({ min: 1, max: 255, example: 'Corner Coffee Club' }),
  type: programType().default('LOYALTY'),
  currency: z.enum(currencies).default('GBP').meta({ description: 'ISO 4217, of those with two decimals.' }),
  giftCard: optional(GiftCardSettings),
  description: optional(text({ max: 2000 })),
  language: optional(text({ max: 35 })),
  country: optional(text({ min: 2, max: 2 })),
  company: optional(text({ max: 255 })),
  address: optional(text({ max: 500 })),
  website: optional(httpUrl()),
  email: optional(email()),
  phone: optional(text({ max: 50 })),
  terms: optional(text({ max: 20_000 })),
}).meta({ id: 'CreateProgramRequest' });

export const BasicProgramRead = z
  .strictObject({ id: recordId(), name: z.string(), shareUrl: z.string().meta({ format: 'uri' }) })
  .meta({ id: 'BasicProgramRead' });

export const ProgramRead = z
  .strictObject({
    id: recordId(),
    merchantId: recordId(),
    name: z.string(),
    shareUrl: z.string().meta({ format: 'uri' }),
    type: programType(),
    currency: z.string().meta({ examples: ['GBP'] }),
    giftCard: z.strictObject({ expiryDays: z.int(), bulkThreshold: z.int() }).meta({ id: 'GiftCardSettingsRead' }),
    description: nullableText(),
    language: nullableText(),
    country: nullableText(),
    company: nullableText(),
    address: nullableText(),
    website: nullableText(),
    email: nullableText(),
    phone: nullableText(),
    terms: nullableText(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'ProgramRead' });
