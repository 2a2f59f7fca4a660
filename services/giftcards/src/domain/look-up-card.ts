import { type Card, settleCard } from './card.ts';
import { refusal } from './errors.ts';
import type { CardReader, CardSecrets, Clock } from './ports.ts';

/**
 * The card of a program that has this number. A number that is nobody's and one of another program or merchant take the
 * same steps. @throws AppError `card_not_found`.
 */
export function createLookUpCard(deps: { reader: CardReader; secrets: CardSecrets; clock: Clock }) {
  return async (merchantId: string, where: { programId: string; cardNumber: string }): Promise<Card> => {
    const card = await deps.reader.findByNumber(deps.secrets.hashNumber(where.cardNumber));
    if (card?.merchantId !== merchantId || card.programId !== where.programId) throw refusal.cardNotFound();
    return settleCard(card, deps.clock());
  };
}
