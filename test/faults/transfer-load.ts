import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../support/api.ts';

/** A card that the load may use. */
export interface LoadCard {
  readonly id: string;
  readonly number: string;
  readonly code: string;
}

const clients = 8;
/** How long a client repeats one request before it gives up on it. */
const repeatMsMax = 60_000;

/**
 * Clients that transfer between random cards, one request each at a time, as a careful client does: a request that
 * fails is repeated with its idempotency key until it is answered. So at the end every key stands for one transfer.
 */
export class TransferLoad {
  /** Transfer ids that were acknowledged, one for each key. */
  readonly acknowledged = new Map<string, string>();
  readonly #api: Api;
  readonly #path: string;
  readonly #cards: readonly LoadCard[];
  readonly #loops: Promise<void>[];
  #stopping = false;
  failures = 0;

  constructor(api: Api, programId: string, cards: readonly LoadCard[]) {
    this.#api = api;
    this.#path = `/v2/giftcards/programs/${programId}/cards`;
    this.#cards = cards;
    this.#loops = Array.from({ length: clients }, () => this.#loop());
  }

  /** Lets every request under way come to its end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#loops);
  }

  async #loop(): Promise<void> {
    while (!this.#stopping) await this.#transfer();
  }

  async #transfer(): Promise<void> {
    const first = Math.floor(Math.random() * this.#cards.length);
    const second = (first + 1 + Math.floor(Math.random() * (this.#cards.length - 1))) % this.#cards.length;
    const [source, destination] = [this.#cards[first]!, this.#cards[second]!];
    const key = randomUUID();
    const body = { securityCode: source.code, destinationCardNumber: destination.number, amount: '0.01' };
    const giveUpAt = Date.now() + repeatMsMax;
    while (Date.now() < giveUpAt) {
      const answer = await this.#api
        .post(`${this.#path}/${source.id}/transfer`, body, { 'idempotency-key': key })
        .catch(() => undefined);
      if (answer?.status === 200) {
        this.acknowledged.set(key, String(answer.body.transferId));
        return;
      }
      if (answer !== undefined && answer.status < 500 && answer.status !== 409 && answer.status !== 429) {
        throw new Error(`a transfer was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      this.failures += 1;
      await sleep(50);
    }
    throw new Error(`no answer to ${key} for ${repeatMsMax} ms`);
  }
}
