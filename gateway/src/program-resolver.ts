import type { Caller } from '#platform/grpc/caller.ts';
import type { ProgramReference } from '#proto/common/v1/common.ts';
import type { Clients } from './clients.ts';
import { ExpiringCache } from './expiring-cache.ts';

const livesMs = 30_000;
const entriesMax = 10_000;

/** Looks up the program in a path for its caller: another merchant's is as missing as a missing one. */
export class ProgramResolver {
  readonly #cache = new ExpiringCache<ProgramReference>(entriesMax, () => livesMs);
  readonly #loyalty: Clients['loyalty'];

  constructor(loyalty: Clients['loyalty']) {
    this.#loyalty = loyalty;
  }

  /** @throws {AppError} `not_found`; it is not remembered, so a program can be used as soon as it is made. */
  resolve(programId: string, caller: Caller): Promise<ProgramReference> {
    return this.#cache.load(`${caller.merchantId}/${programId}`, () =>
      this.#loyalty.resolveProgram({ id: programId }, caller, { idempotent: true }),
    );
  }
}
