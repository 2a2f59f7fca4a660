import { BodyCheck } from '#platform/validation.ts';

/** The wallet's own names of its kinds of pass; the kind decides which images and fields a pass can have. */
export const passStyles = ['generic', 'coupon', 'storeCard', 'eventTicket', 'boardingPass'] as const;
export type PassStyle = (typeof passStyles)[number];

/** What passes are made from. */
export interface Template {
  readonly id: string;
  readonly merchantId: string;
  readonly name: string;
  readonly passStyle: PassStyle;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A template to be made, as it came. */
export interface TemplateDraft {
  readonly name: string;
  readonly passStyle: string;
}

export const templatesMax = 10_000;
const nameCharacters = { min: 1, max: 255 };

/** The template of a draft. @throws AppError 422 with every fault of the draft. */
export function composeTemplate(
  identity: { id: string; merchantId: string; createdAt: Date },
  draft: TemplateDraft,
): Template {
  const body = new BodyCheck().text('name', draft.name, nameCharacters);
  body.oneOf('passStyle', draft.passStyle, passStyles).done();
  return { ...identity, name: draft.name, passStyle: draft.passStyle as PassStyle, updatedAt: identity.createdAt };
}
