import type { Caller } from '#platform/grpc/caller.ts';
import type { SigningKey } from '#proto/identity/v1/identity.ts';
import type { Clients } from './clients.ts';
import { ExpiringCache } from './expiring-cache.ts';

/** Short, since identity may be started anew with another key at any time. */
const knownForMs = 60_000;

/** Identity's public keys, asked for once a minute at most. */
export class SigningKeys {
  readonly #cache = new ExpiringCache<readonly SigningKey[]>(1, () => knownForMs);
  readonly #identity: Clients['identity'];

  constructor(identity: Clients['identity']) {
    this.#identity = identity;
  }

  /** @param caller signs the call when one is needed. */
  load(caller: Caller): Promise<readonly SigningKey[]> {
    return this.#cache.load('keys', async () => {
      const { keys } = await this.#identity.getSigningKeys({}, caller, { idempotent: true });
      return keys;
    });
  }
}
