import { isCurrency } from '#platform/currency.ts';
import { BodyCheck } from '#platform/validation.ts';

export const programTypes = ['LOYALTY', 'GIFT_CARD'] as const;
export type ProgramType = (typeof programTypes)[number];

/** How gift cards of the program are issued. Cards may be issued in either type of program. */
export interface GiftCardSettings {
  /** Days from issue to expiry. */
  readonly expiryDays: number;
  /** Up to this many cards are issued at once; more go to the background. */
  readonly bulkThreshold: number;
}

/** What a merchant tells of a program, all optional. */
export interface ProgramProfile {
  readonly description?: string;
  readonly language?: string;
  readonly country?: string;
  /** What customers see as the merchant's name; without it they see the program's. */
  readonly company?: string;
  readonly address?: string;
  readonly website?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly terms?: string;
}

export interface Program extends ProgramProfile {
  readonly id: string;
  readonly merchantId: string;
  readonly name: string;
  readonly type: ProgramType;
  /** ISO 4217; of every card of the program. */
  readonly currency: string;
  readonly giftCard: GiftCardSettings;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A program to be made; what is absent gets its default. */
export interface ProgramDraft extends ProgramProfile {
  readonly name: string;
  readonly type?: string;
  readonly currency?: string;
  readonly giftCard?: Partial<GiftCardSettings>;
}

export const programsMax = 10_000;

const nameCharacters = { min: 1, max: 255 };
const expiryDaysBounds = { min: 1, max: 1825 };
const bulkThresholdBounds = { min: 1, max: 10_000 };
const defaults = { type: 'LOYALTY', currency: 'GBP', expiryDays: 365, bulkThreshold: 50 } as const;

/** The program of a draft. @throws AppError 422 with every fault of the draft. */
export function composeProgram(
  identity: { id: string; merchantId: string; createdAt: Date },
  { name, type, currency, giftCard, ...profile }: ProgramDraft,
): Program {
  checkDraft({ name, type, currency, giftCard, ...profile });
  return {
    ...identity,
    ...profile,
    name,
    type: programTypes.find((known) => known === type) ?? defaults.type,
    currency: currency ?? defaults.currency,
    giftCard: {
      expiryDays: giftCard?.expiryDays ?? defaults.expiryDays,
      bulkThreshold: giftCard?.bulkThreshold ?? defaults.bulkThreshold,
    },
    updatedAt: identity.createdAt,
  };
}

/** What cards show as the merchant's name. */
export function merchantName({ company, name }: Pick<Program, 'company' | 'name'>): string {
  return company || name;
}

function checkDraft(draft: ProgramDraft): void {
  const upTo = (max: number) => ({ min: 0, max });
  new BodyCheck()
    .text('name', draft.name, nameCharacters)
    .oneOf('type', draft.type, programTypes)
    .rule(
      'currency',
      draft.currency === undefined || isCurrency(draft.currency),
      'currency must be an ISO 4217 code of one with two decimals',
    )
    .int('giftCard.expiryDays', draft.giftCard?.expiryDays, expiryDaysBounds)
    .int('giftCard.bulkThreshold', draft.giftCard?.bulkThreshold, bulkThresholdBounds)
    .text('description', draft.description, upTo(2000))
    .text('language', draft.language, upTo(35))
    .text('country', draft.country, { min: 2, max: 2 })
    .text('company', draft.company, upTo(255))
    .text('address', draft.address, upTo(500))
    .text('website', draft.website, upTo(2083))
    .rule('website', draft.website === undefined || isHttpUrl(draft.website), 'website must be an http or https URL')
    .text('email', draft.email, upTo(254))
    .text('phone', draft.phone, upTo(50))
    .text('terms', draft.terms, upTo(20_000))
    .done();
}

/** Customers follow it as a link, so no `javascript:` and the like. */
function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}
