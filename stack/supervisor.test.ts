import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diesWithParent } from './command.ts';
import { writePrivate } from './data-dir.ts';
import { identityOf, isAlive } from './process-identity.mjs';
import { stopLeftovers } from './run-file.ts';
import type { ProcessSpec } from './supervised-process.ts';
import { Supervisor, type SupervisorOptions } from './supervisor.ts';

let dir: string;
let supervisor: Supervisor;
const started: string[] = [];

/** A shell that says on what pid it is up, and then does what it is told. */
function shell(name: string, script: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  started.push(name);
  const ready = join(dir, `${name}.ready`);
  return {
    name,
    command: 'sh',
    args: ['-c', script],
    env: { ...process.env, READY: ready },
    cwd: dir,
    isReady: async () => existsSync(ready) && readFileSync(ready, 'utf8') === `${supervisor.get(name).pid}\n`,
    readyTimeoutMs: 10_000,
    stopTimeoutMs: 10_000,
    ...more,
  };
}
const untilStopped = 'echo $$ > "$READY"; exec sleep 60';

function supervise(more: Partial<SupervisorOptions> = {}): Supervisor {
  const ignore = () => {};
  return new Supervisor({ logDir: join(dir, 'logs'), progress: ignore, onChange: ignore, onGiveUp: ignore, ...more });
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tallycard-supervisor-'));
  supervisor = supervise();
});
afterEach(async () => {
  await supervisor.stop(started.splice(0));
  rmSync(dir, { recursive: true, force: true });
});

test('a process that is killed comes back', async () => {
  await supervisor.start(shell('db', untilStopped));
  const process = supervisor.get('db');
  const before = process.pid;
  await process.kill('SIGKILL');
  await process.waitReady();
  expect(process.pid).not.toBe(before);
});

test('a process that is restarted comes back, and it does not count as a death', async () => {
  const progress: string[] = [];
  supervisor = supervise({ progress: (line) => progress.push(line), restartsPerMinuteMax: 0 });
  await supervisor.start(shell('db', untilStopped));
  await supervisor.get('db').restart();
  expect(progress.filter((line) => line.includes('died'))).toEqual([]);
});

test('a process that never starts is given up with the end of its log', async () => {
  const gaveUp = Promise.withResolvers<Error>();
  supervisor = supervise({ onGiveUp: gaveUp.resolve });
  const start = supervisor.start(shell('db', 'echo disk on fire >&2; exit 7'));
  await expect(start).rejects.toThrow(/db does not start \(exit code 7\).*disk on fire/s);
  expect((await gaveUp.promise).message).toContain('disk on fire');
});

test('a process that keeps dying is given up', async () => {
  const gaveUp = Promise.withResolvers<Error>();
  supervisor = supervise({ onGiveUp: gaveUp.resolve, restartsPerMinuteMax: 1 });
  await supervisor.start(shell('db', untilStopped));
  await supervisor.get('db').kill();
  await supervisor.get('db').waitReady();
  await supervisor.get('db').kill();
  expect((await gaveUp.promise).message).toContain('keeps dying (last: SIGKILL)');
});

test('a program that is not there is an error, not a crash', async () => {
  await expect(supervisor.start(shell('db', '', { command: '/no/such/program' }))).rejects.toThrow('does not start');
});

test('a process that is never ready is killed and tried again', async () => {
  const start = supervisor.start(shell('db', 'exec sleep 60', { readyTimeoutMs: 1 }));
  await expect(start).rejects.toThrow('does not start (SIGKILL)');
});

test('a process that ignores SIGTERM is killed after its grace', async () => {
  await supervisor.start(
    shell('db', 'trap "" TERM; echo $$ > "$READY"; while :; do sleep 1; done', { stopTimeoutMs: 50 }),
  );
  const identity = identityOf(supervisor.get('db').pid ?? 0);
  await supervisor.stop(['db']);
  expect(isAlive(identity)).toBe(false);
  expect(supervisor.pids()).toEqual({});
});

test('children die with a starter that is killed', async () => {
  if (diesWithParent().length === 0) return;
  const [command = '', ...args] = [...diesWithParent(), 'sleep', '60'];
  const script = `const c = require('child_process').spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, {detached: true});
    c.on('spawn', () => console.log(c.pid))`;
  const starter = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(starter.stdout, 'data');
  const child = identityOf(Number(line));
  // Until setpriv has become sleep, the kernel has not been asked yet.
  while (!readFileSync(`/proc/${child.pid}/comm`, 'utf8').startsWith('sleep')) await new Promise(setImmediate);
  starter.kill('SIGKILL');
  while (isAlive(child)) await new Promise(setImmediate);
});

test('leftovers are stopped, and a stranger who has got the pid of one is not', async () => {
  const sleeper = (): ChildProcess => spawn('sleep', ['60'], { stdio: 'ignore' });
  const [left, stranger] = [sleeper(), sleeper()];
  await Promise.all([once(left, 'spawn'), once(stranger, 'spawn')]);
  const file = join(dir, 'run.json');
  const strangerIdentity = identityOf(stranger.pid ?? 0);
  writePrivate(file, {
    processes: { redis: identityOf(left.pid ?? 0), kafka: { pid: stranger.pid, startTime: '1' } },
  });
  const gone = once(left, 'exit');
  await stopLeftovers(file, () => {});
  await gone;
  expect(isAlive(strangerIdentity)).toBe(true);
  stranger.kill();
});
