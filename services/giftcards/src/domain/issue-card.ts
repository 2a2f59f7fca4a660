import { newId } from '#platform/ids.ts';
import type { EventOrigin } from '#platform/kafka/event-origin.ts';
import type { Card, CardProfile } from './card.ts';
import { type CardChange, cardEventData, claimIdempotency, snapshotCard, toCardChange } from './card-answer.ts';
import { refusal } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { CardReader, CardSecrets } from './ports.ts';

/** A card to be issued: pending, with no balance until it is activated. */
export interface IssueCard {
  readonly origin: EventOrigin;
  readonly merchantId: string;
  readonly programId: string;
  readonly currency: string;
  readonly expiryDaysDefault: number;
  readonly initialValueMinor: number;
  readonly expiresAt?: Date;
  readonly profile: CardProfile;
  readonly idempotencyKey?: string;
}

/** The issued card; the code is shown this once and never in a replayed answer. */
export interface IssuedCard extends CardChange {
  readonly securityCode?: string;
}

const dayMs = 86_400_000;
/** A card lives at most five years. */
export const expiryDaysMax = 1_825;

/**
 * Issues one card.
 * @throws AppError `validation_error` when expiresAt is not in the future or more than five years away.
 */
export function createIssueCard(deps: { ledger: Ledger; secrets: CardSecrets; reader: CardReader }) {
  return async (input: IssueCard): Promise<IssuedCard> => {
    let securityCode: string | undefined;
    const result = await deps.ledger.submit({
      action: 'issue',
      origin: input.origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds: [],
      idempotency: claimIdempotency(deps.secrets, input, {
        action: 'issue',
        cardIds: [],
        request: fingerprinted(input),
      }),
      apply(view) {
        const expiresAt = chooseExpiry(input, view.now);
        const id = newId(view.now.getTime());
        const number = deps.secrets.newNumber(id);
        const code = deps.secrets.newCode(id);
        securityCode = code.code;
        const card = newCard(input, { id, expiresAt, now: view.now, number, codeHash: code.hash });
        view.insert(card);
        view.emit('giftcard.created', cardEventData(card));
        return snapshotCard(card);
      },
    });
    if (!result.replayed) return { ...toCardChange(result), securityCode };
    return toCardChange(result, await deps.reader.get(input.merchantId, String(result.answer.cardId)));
  };
}

/** What the caller asked for; what comes from the program may change between a try and its repeat. */
function fingerprinted({ initialValueMinor, expiresAt, profile }: IssueCard): object {
  const { merchantName: _, ...asked } = profile;
  return { initialValueMinor, expiresAt, ...asked };
}

function chooseExpiry(input: IssueCard, now: Date): Date {
  const expiresAt = input.expiresAt ?? new Date(now.getTime() + input.expiryDaysDefault * dayMs);
  if (expiresAt <= now) throw refusal.invalidExpiry('the expiry must be in the future');
  if (expiresAt.getTime() > now.getTime() + expiryDaysMax * dayMs) {
    throw refusal.invalidExpiry('the expiry must be at most five years away');
  }
  return expiresAt;
}

interface NewCardParts {
  readonly id: string;
  readonly expiresAt: Date;
  readonly now: Date;
  readonly number: ReturnType<CardSecrets['newNumber']>;
  readonly codeHash: string;
}

function newCard(input: IssueCard, parts: NewCardParts): Card {
  return {
    ...input.profile,
    id: parts.id,
    merchantId: input.merchantId,
    programId: input.programId,
    version: 1,
    entryCount: 0,
    sealedNumber: parts.number.sealed,
    numberHash: parts.number.hash,
    lastFourDigits: parts.number.lastFourDigits,
    codeHash: parts.codeHash,
    currency: input.currency,
    balanceMinor: 0,
    initialValueMinor: input.initialValueMinor,
    status: 'pending',
    createdAt: parts.now,
    updatedAt: parts.now,
    expiresAt: parts.expiresAt,
  };
}
