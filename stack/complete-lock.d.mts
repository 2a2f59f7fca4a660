/**
 * Adds the platform packages that a registry without them made npm leave out, so that `npm ci` takes the lock.
 *
 * @param lock - parsed package-lock.json, changed in place
 * @returns the paths that were added
 */
export function completeLock(lock: { packages: Record<string, object> }): string[];
