import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from './file-lock.mjs';
import { identityOf } from './process-identity.mjs';
import { StackError } from './progress.ts';

const marker = '.tallycard-data';
const pollMs = 50;
const stoppingMsMax = 60_000;
const lockName = 'lock';
/** Everything that is ever put into DATA_DIR; a reset deletes these and nothing else. */
const ownEntries = ['mongodb', 'redis', 'kafka', 'logs', 'run.json', 'secrets.json', 'demo.json', lockName, marker];

/** DATA_DIR, held by this process until it is released. */
export interface DataDir {
  path: string;
  file: (name: string) => string;
  /** Lets a start that comes too early wait for the release. */
  markStopping: () => void;
  release: () => void;
}

/** Writes a file that only this user can read, whole or not at all. */
export function writePrivate(file: string, content: unknown): void {
  const aside = `${file}.${process.pid}.tmp`;
  writeFileSync(aside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(aside, file);
}

/** The content of a JSON file, or undefined if it is missing or broken. */
export function readJson<T>(file: string): Partial<T> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<T>;
  } catch {
    return undefined;
  }
}

/** A stack that is told to stop holds its directory until its last process has ended. */
async function take(lockFile: string, graceMs: number) {
  const startedAtMs = Date.now();
  for (;;) {
    const attempt = tryLock(lockFile);
    const isStopping = readJson<{ isStopping: boolean }>(lockFile)?.isStopping;
    if (attempt.release || Date.now() - startedAtMs > (isStopping ? stoppingMsMax : graceMs)) return attempt;
    await sleep(pollMs);
  }
}

/**
 * Makes DATA_DIR if need be and takes it for this process.
 *
 * @param dataDir - its path
 * @param graceMs - how long to wait for an owner that may not know yet that it has to stop, because the npm that
 *   started it was killed a moment ago
 * @throws StackError when another process has it
 */
export async function openDataDir(dataDir: string, graceMs = 1_000): Promise<DataDir> {
  const path = resolve(dataDir);
  const lockFile = join(path, lockName);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const attempt = await take(lockFile, graceMs);
  if (!attempt.release) {
    const owner = attempt.owner?.pid ?? '?';
    throw new StackError(
      `${path} is in use by process ${owner}, which is running on it: stop that first, or set another DATA_DIR`,
    );
  }
  writeFileSync(join(path, marker), 'Tallycard keeps its data here; npm run reset deletes it.\n');
  let release: (() => void) | undefined = attempt.release;
  return {
    path,
    file: (name) => join(path, name),
    markStopping: () => release && writePrivate(lockFile, { ...identityOf(process.pid), isStopping: true }),
    // Once only: the second time it might be the lock of the next owner.
    release: () => {
      release?.();
      release = undefined;
    },
  };
}

/** A name that is the same for every start on this directory and no other. */
export function nameOf(dataDir: string): string {
  return `tallycard-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12)}`;
}

/** Whether the directory was ever used by a stack. */
export function isDataDir(dataDir: string): boolean {
  return existsSync(join(dataDir, marker));
}

/**
 * Deletes what a stack put into the directory, and the directory if nothing else is in it.
 *
 * @returns names of what is not ours and was left
 */
export function deleteData(dataDir: string): string[] {
  for (const name of ownEntries) rmSync(join(dataDir, name), { recursive: true, force: true });
  const left = readdirSync(dataDir);
  if (left.length === 0) rmdirSync(dataDir);
  return left;
}
