import { type Card, settleCard } from './card.ts';
import { refusal } from './errors.ts';
import { codesMatch } from './ledger-group.ts';
import type { CardReader, CardSecrets, Clock, CodeAttempts } from './ports.ts';

export interface CheckBalance {
  /** Only cards of this program when given. */
  readonly programId?: string;
  readonly cardNumber: string;
  readonly securityCode: string;
}

/**
 * The card of a number and its security code, for whoever holds both. An unknown number, another program's card and a
 * wrong code take the same steps, so neither answer nor time tells them apart.
 * @throws AppError `security_code_locked`, `card_not_found`.
 */
export function createCheckBalance(deps: {
  reader: CardReader;
  secrets: CardSecrets;
  codeAttempts: CodeAttempts;
  clock: Clock;
}) {
  return async (input: CheckBalance): Promise<Card> => {
    const now = deps.clock();
    const numberHash = deps.secrets.hashNumber(input.cardNumber);
    const found = await deps.reader.findByNumber(numberHash);
    const card = input.programId === undefined || found?.programId === input.programId ? found : undefined;
    const subject = card?.id ?? numberHash;
    const { attemptId, lockedForMs } = await deps.codeAttempts.reserve(subject, now);
    if (lockedForMs > 0) {
      await deps.codeAttempts.forgive(subject, attemptId);
      throw refusal.codeLocked(Math.ceil(lockedForMs / 1000));
    }
    const given = deps.secrets.hashCode(subject, input.securityCode);
    const right = codesMatch(card?.codeHash ?? deps.secrets.hashCode(subject, ''), given);
    if (card === undefined || !right) throw refusal.cardNotFound();
    await deps.codeAttempts.forgive(subject, attemptId);
    return settleCard(card, now);
  };
}
