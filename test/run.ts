// npm test [-- ARGUMENTS OF JEST]: all tests on one shared stack, then one after another those that break a stack of their own.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diesWithParent } from '#stack/command.ts';
import { repoRoot } from '#stack/paths.ts';
import base from '../jest.config.mjs';
import { addCounts, type Counts, countsOf, summaryLine } from './support/test-counts.ts';

/** More only contend for the two cores that the stack needs too. */
const workersMax = 2;
const runTimeoutMs = 30 * 60_000;
const stopGraceMs = 20_000;

const faults = '/test/faults/';
const nodeFlags =
  '--experimental-vm-modules --disable-warning=ExperimentalWarning --disable-warning=TimeoutNegativeWarning';
const { globalSetup: _setup, globalTeardown: _teardown, ...withoutStack } = base;

/** The runs, in order. A pattern on the command line may match the files of one of them only. */
const runs = [
  {
    name: 'tests',
    config: { ...base, testPathIgnorePatterns: [...base.testPathIgnorePatterns, faults] },
    args: [`--maxWorkers=${workersMax}`],
  },
  {
    name: 'fault tests',
    config: { ...withoutStack, testMatch: [`**${faults}**/*.test.ts`], testTimeout: 10 * 60_000 },
    args: ['--runInBand'],
  },
];

let stopped = false;
let stopChild: (signal: NodeJS.Signals) => void = () => {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped = true;
    stopChild('SIGTERM');
  });
}

/** Runs jest to its end; the kernel stops it when this process dies. */
function jest(args: string[]): Promise<void> {
  const cli = join(repoRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const [command = '', ...rest] = [...diesWithParent(), process.execPath, cli, ...args];
  const nodeOptions = [process.env.NODE_OPTIONS, nodeFlags].filter(Boolean).join(' ');
  const child = spawn(command, rest, {
    cwd: repoRoot,
    env: { ...process.env, NODE_OPTIONS: nodeOptions },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let killTimer: NodeJS.Timeout | undefined;
  stopChild = (signal) => {
    child.kill(signal);
    killTimer ??= setTimeout(() => child.kill('SIGKILL'), stopGraceMs);
  };
  const timer = setTimeout(() => {
    process.stderr.write(`jest did not end within ${runTimeoutMs / 60_000} minutes\n`);
    stopChild('SIGTERM');
  }, runTimeoutMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      resolve();
    });
  });
}

async function readCounts(file: string): Promise<Counts> {
  try {
    return countsOf(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // No results: it failed before the first test, or was stopped.
    return { passed: 0, failed: 1 };
  }
}

async function main(args: string[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'tallycard-results-'));
  let total: Counts = { passed: 0, failed: 0 };
  try {
    for (const { name, config, args: own } of runs) {
      if (stopped) break;
      process.stderr.write(`running ${name} …\n`);
      const file = join(directory, `${name}.json`);
      const options = ['--passWithNoTests', '--json', `--outputFile=${file}`, ...own];
      await jest([...args, ...options, '--config', JSON.stringify({ ...config, rootDir: repoRoot })]);
      total = addCounts(total, await readCounts(file));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  if (total.passed + total.failed === 0) total = { passed: 0, failed: 1 };
  process.stdout.write(`${summaryLine(total)}\n`);
  return total.failed === 0 && !stopped ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
