import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive } from './process-identity.mjs';

const pollMs = 200;

function readOwner(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** link() makes the lock appear whole or not at all, so a lock is never seen without its owner. */
function create(path) {
  const own = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(own, JSON.stringify(identityOf(process.pid)));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Renamed before it is removed: of two that find it stale only one gets it, and a fresh lock is put back. */
function removeStale(path) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    const owner = readOwner(aside);
    if (owner && isAlive(owner)) linkSync(aside, path);
    rmSync(aside, { force: true });
  } catch {
    // Another process was first; the caller's loop looks again.
  }
}

export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  for (let attempt = 0; attempt < 5; attempt++) {
    if (create(path)) return { release: () => rmSync(path, { force: true }) };
    const owner = readOwner(path);
    if (owner && isAlive(owner)) return { owner };
    removeStale(path);
  }
  return { owner: readOwner(path) };
}

export async function lock(path, { onWait, signal } = {}) {
  for (let round = 0; ; round++) {
    const attempt = tryLock(path);
    if (attempt.release) return attempt.release;
    if (round === 0) onWait?.(attempt.owner);
    await sleep(pollMs, undefined, { signal });
  }
}
