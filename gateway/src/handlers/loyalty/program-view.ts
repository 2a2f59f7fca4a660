import type { Program } from '#proto/loyalty/v1/loyalty.ts';
import type { Context } from '../../context.ts';
import { isoAlways, present, textOrNull } from '../render.ts';

type ProgramType = 'LOYALTY' | 'GIFT_CARD';

/** Where a customer joins the program. */
export const shareUrlOf = (programId: string, { services }: Context) => `${services.publicUrl}/p/${programId}`;

export function renderProgram(program: Program, context: Context) {
  const giftCard = present(program.giftCard, 'giftCard');
  return {
    id: program.id,
    merchantId: program.merchantId,
    name: program.name,
    shareUrl: shareUrlOf(program.id, context),
    type: program.type as ProgramType,
    currency: program.currency,
    giftCard: { expiryDays: giftCard.expiryDays, bulkThreshold: giftCard.bulkThreshold },
    description: textOrNull(program.description),
    language: textOrNull(program.language),
    country: textOrNull(program.country),
    company: textOrNull(program.company),
    address: textOrNull(program.address),
    website: textOrNull(program.website),
    email: textOrNull(program.email),
    phone: textOrNull(program.phone),
    terms: textOrNull(program.terms),
    createdAt: isoAlways(program.createdAt, 'createdAt'),
    updatedAt: isoAlways(program.updatedAt, 'updatedAt'),
  };
}
