import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from './file-lock.mjs';
import { cacheRoot } from './paths.ts';
import { type Progress, withProgress } from './progress.ts';

/** A program that is kept in the per-user cache. */
export interface CachedProgram {
  /** Directory name in the cache; carries the version, so that a new version is a new install. */
  id: string;
  /** What is done, as in `mongodb: building SecantusDB`. */
  label: string;
  /** Fills an empty directory with what `id` stands for and checks that it works. */
  build: (dir: string, detail: (text: string) => void) => Promise<void>;
}

/** Where the program is, if it is installed. */
export function cachedDir(id: string): string | undefined {
  const dir = join(cacheRoot(), id);
  return existsSync(dir) ? dir : undefined;
}

/**
 * Installs a program once. It is made aside and renamed when it works, so a half install never counts; a lock keeps
 * two starts from doing it at once.
 *
 * @returns its directory
 */
export async function installOnce(
  program: CachedProgram,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<string> {
  const target = join(cacheRoot(), program.id);
  mkdirSync(cacheRoot(), { recursive: true });
  const release = await lock(`${target}.lock`, {
    onWait: (owner) => progress(`${program.label}: waiting for process ${owner?.pid}, which does it already`),
    signal,
  });
  try {
    if (existsSync(target)) return target;
    const making = mkdtempSync(`${target}.making-`);
    try {
      await withProgress(program.label, progress, (detail) => program.build(making, detail));
      renameSync(making, target);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
    return target;
  } finally {
    release();
  }
}
