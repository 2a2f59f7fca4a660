import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { dockerWithEngine, removeContainer } from './components/docker.ts';
import { readJson, writePrivate } from './data-dir.ts';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.mjs';
import type { Progress } from './progress.ts';

const stopGraceMs = 10_000;
const killGraceMs = 5_000;
const pollMs = 50;

/** DATA_DIR/run.json: what runs now, for tools beside the stack and for the next start after a crash. */
export interface RunFile {
  baseUrl?: string;
  mongodbUri?: string;
  redisUrl?: string;
  kafkaBrokers?: string;
  ports: Record<string, number>;
  starter: ProcessIdentity;
  /** By name: mongodb, redis, kafka, each service, gateway. */
  pids: Record<string, number>;
  /** The same with start times, so that a pid that was reused is never signalled. */
  processes: Record<string, ProcessIdentity>;
  containers: string[];
  /** What verify-ledger needs: the environment that giftcards was started with. Holds secrets. */
  env: Record<string, string>;
}

/** Writes run.json for the processes that run now. */
export function writeRunFile(file: string, run: Omit<RunFile, 'starter' | 'processes'>): void {
  const processes = Object.fromEntries(Object.entries(run.pids).map(([name, pid]) => [name, identityOf(pid)]));
  writePrivate(file, { ...run, starter: identityOf(process.pid), processes });
}

/** Nothing runs any more. */
export function removeRunFile(file: string): void {
  rmSync(file, { force: true });
}

async function waitUntilGone(identities: ProcessIdentity[], timeoutMs: number): Promise<ProcessIdentity[]> {
  const deadlineMs = Date.now() + timeoutMs;
  let left = identities.filter(isAlive);
  while (left.length > 0 && Date.now() < deadlineMs) {
    await sleep(pollMs);
    left = left.filter(isAlive);
  }
  return left;
}

function signal(identities: ProcessIdentity[], name: NodeJS.Signals): void {
  for (const identity of identities) {
    try {
      if (isAlive(identity)) process.kill(identity.pid, name);
    } catch {
      // It ended between the two calls.
    }
  }
}

/**
 * Stops what a killed starter left behind: exactly the processes that run.json names.
 * Whoever calls it holds DATA_DIR, so no living starter owns them.
 */
export async function stopLeftovers(file: string, progress: Progress): Promise<void> {
  const run = readJson<RunFile>(file);
  const all = Object.entries(run?.processes ?? {});
  const left = all.filter(([, identity]) => isAlive(identity));
  if (left.length > 0) {
    progress(
      `stopping what an earlier start left behind: ${left.map(([name, { pid }]) => `${name} (${pid})`).join(', ')}`,
    );
    const identities = left.map(([, identity]) => identity);
    signal(identities, 'SIGTERM');
    const stubborn = await waitUntilGone(identities, stopGraceMs);
    signal(stubborn, 'SIGKILL');
    await waitUntilGone(stubborn, killGraceMs);
  }
  const docker = run?.containers?.length ? await dockerWithEngine() : undefined;
  if (docker) await Promise.all((run?.containers ?? []).map((name) => removeContainer(docker, name)));
}
