import type { ProcessIdentity } from './process-identity.mjs';

/**
 * Takes the lock at once or says who holds it. A lock whose owner has ended (kill -9 included) is taken over.
 *
 * @param path - the lock file; its directory is made
 */
export function tryLock(
  path: string,
): { release: () => void; owner?: undefined } | { release?: undefined; owner: ProcessIdentity | undefined };

/**
 * Waits for the lock, however long its owner lives.
 *
 * @param path - the lock file; its directory is made
 * @param options - `onWait` is called once if somebody else holds it
 * @returns releases the lock
 */
export function lock(
  path: string,
  options?: { onWait?: (owner: ProcessIdentity | undefined) => void; signal?: AbortSignal | undefined },
): Promise<() => void>;
