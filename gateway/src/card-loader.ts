import type { Caller } from '#platform/grpc/caller.ts';
import type { Card } from '#proto/giftcards/v1/giftcards.ts';
import type { Clients } from './clients.ts';

/** What giftcards takes in one call. */
const cardIdsMax = 128;

interface Waiting {
  readonly cardId: string;
  readonly resolve: (card: Card | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Look-ups for one merchant and program that have come in one turn of the event loop. */
interface Batch {
  readonly caller: Caller;
  readonly programId: string;
  readonly waiting: Waiting[];
}

/**
 * Looks cards up. Look-ups that arrive together share one call to giftcards, in the name of the first of them: a call
 * costs far more than a card. A lone look-up is not delayed. Nothing is cached.
 */
export class CardLoader {
  readonly #giftcards: Clients['giftcards'];
  readonly #batches = new Map<string, Batch>();

  constructor(giftcards: Clients['giftcards']) {
    this.#giftcards = giftcards;
  }

  /** @returns undefined when the program has no such card. */
  load(programId: string, cardId: string, caller: Caller): Promise<Card | undefined> {
    return new Promise((resolve, reject) => {
      const key = `${caller.merchantId}/${programId}`;
      let batch = this.#batches.get(key);
      if (batch === undefined) {
        batch = { caller, programId, waiting: [] };
        this.#batches.set(key, batch);
        const opened = batch;
        setImmediate(() => this.#send(key, opened));
      }
      batch.waiting.push({ cardId, resolve, reject });
      if (batch.waiting.length >= cardIdsMax) this.#batches.delete(key);
    });
  }

  async #send(key: string, batch: Batch): Promise<void> {
    if (this.#batches.get(key) === batch) this.#batches.delete(key);
    try {
      const cardIds = [...new Set(batch.waiting.map(({ cardId }) => cardId))];
      const request = { programId: batch.programId, cardIds };
      const { cards } = await this.#giftcards.getCards(request, batch.caller, { idempotent: true });
      const byId = new Map(cards.map((card) => [card.id, card]));
      for (const { cardId, resolve } of batch.waiting) resolve(byId.get(cardId));
    } catch (error) {
      for (const { reject } of batch.waiting) reject(error);
    }
  }
}
