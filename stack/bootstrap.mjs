// Runs on any Node from 20 with nothing installed: gets the packages, then hands over to the pinned Node.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lock } from './file-lock.mjs';
import { longRunningFlags } from './node-flags.mjs';
import { commandOf, identityOf, parentOf } from './process-identity.mjs';

const entries = {
  start: 'stack/start.ts',
  reset: 'stack/reset.ts',
  test: 'test/run.ts',
  check: 'test/check.ts',
  bench: 'test/bench/main.ts',
  'verify-ledger': 'stack/verify-ledger.ts',
};
const services = ['identity', 'loyalty', 'templates', 'giftcards', 'webhooks'];
const longRunning = [entries.start, 'gateway/src/main.ts', ...services.map((name) => `services/${name}/src/main.ts`)];
const compileMsMax = 30_000;
const heartbeatMs = 10_000;
const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, SIGKILL: 137 };

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const node = join(bin, 'node');
const stamp = join(root, 'node_modules', '.tallycard-installed');
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tallycard');
const startedAtMs = Date.now();

function say(line) {
  process.stderr.write(`${line}\n`);
}

function lockFileHash() {
  const content = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(content).digest('hex');
}

function isInstalled() {
  return existsSync(node) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lockFileHash();
}

/** npm ci deletes node_modules, so it must not run on the Node in there. */
function outsideNode() {
  const names = (process.env.PATH ?? '').split(delimiter).filter((dir) => dir && !dir.startsWith(root));
  return names.map((dir) => join(dir, 'node')).find(existsSync) ?? process.execPath;
}

function npmCi() {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const npmCli = process.env.npm_execpath;
  const usable = npmCli?.endsWith('npm-cli.js') && existsSync(npmCli);
  const [command, full] = usable ? [outsideNode(), [npmCli, ...args]] : ['npm', args];
  return new Promise((resolve, reject) => {
    const child = spawn(command, full, { cwd: root, stdio: ['ignore', 2, 2] });
    const stop = (signal) => child.kill(signal);
    process.on('SIGTERM', stop).on('SIGINT', stop);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      if (code === 0) resolve();
      else reject(new Error(`npm ci failed (${signal ?? `exit code ${code}`})`));
    });
  });
}

/**
 * Fills the compile cache: a process that has to strip types itself keeps 15 MB for it as long as it runs. Without
 * configuration each program loads whole, then names what is missing and ends.
 */
async function compile() {
  const { PATH, NODE_COMPILE_CACHE } = entryEnv([]);
  const options = { env: { PATH, NODE_COMPILE_CACHE, PORT: 'none' }, stdio: 'ignore', timeout: compileMsMax };
  const ends = longRunning.map((file) => {
    const child = spawn(node, [...longRunningFlags, join(root, file)], options);
    return new Promise((resolve) => child.on('error', resolve).on('exit', resolve));
  });
  await Promise.all(ends);
}

async function install() {
  // Not in node_modules, which npm ci deletes.
  const release = await lock(join(root, 'stack', '.npm-ci.lock'), {
    onWait: (owner) => say(`waiting for process ${owner?.pid ?? '?'}, which is installing npm packages …`),
  });
  try {
    if (isInstalled()) return;
    say('installing npm packages …');
    const elapsed = () => ((Date.now() - startedAtMs) / 1000).toFixed(0);
    const heartbeat = setInterval(() => say(`installing npm packages … ${elapsed()} s`), heartbeatMs);
    await npmCi().finally(() => clearInterval(heartbeat));
    if (!existsSync(node)) throw new Error('the npm package "node" has no binary: allow install scripts and try again');
    await compile();
    writeFileSync(stamp, lockFileHash());
    say(`installed npm packages (${elapsed()} s)`);
  } finally {
    release();
  }
}

/** npm and its shell: with them killed nobody is left who could stop us. A plain `node stack/bootstrap.mjs &` may outlive its shell. */
function npmAncestors() {
  if (!process.env.npm_lifecycle_event) return [];
  const parent = process.ppid;
  const shell = /^(sh|dash|bash|zsh|ash|busybox)$/.test(commandOf(parent));
  const grandparent = shell ? parentOf(parent) : undefined;
  return [parent, grandparent].filter((pid) => pid !== undefined && pid > 1);
}

function entryEnv(watchedPids) {
  return {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(cache, 'compile-cache'),
    TALLYCARD_STARTED_AT_MS: String(startedAtMs),
    TALLYCARD_WATCH: watchedPids
      .map(identityOf)
      .map(({ pid, startTime }) => `${pid}:${startTime}`)
      .join(','),
  };
}

function runAsChild(args) {
  const child = spawn(node, args, { stdio: 'inherit', env: entryEnv([process.pid, ...npmAncestors()]) });
  // A terminal's Ctrl-C reaches the child by itself too; it takes a signal that comes twice as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    say(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? signalExitCodes[signal] ?? 1));
}

async function main([name, ...rest]) {
  const entry = Object.hasOwn(entries, name ?? '') ? entries[name] : undefined;
  if (!entry) throw new Error(`usage: node stack/bootstrap.mjs <${Object.keys(entries).join('|')}>`);
  if (!isInstalled()) await install();
  const args = [
    ...(name === 'start' ? longRunningFlags : ['--disable-warning=ExperimentalWarning']),
    '--import',
    new URL('./orphan-guard.mjs', import.meta.url).href,
    join(root, entry),
    ...rest,
  ];
  // Becoming the pinned Node instead of waiting for it saves a process of 40 MB for as long as the stack runs.
  if (process.execve) process.execve(node, [node, ...args], entryEnv(npmAncestors()));
  else runAsChild(args);
}

main(process.argv.slice(2)).catch((error) => {
  say(error.message);
  process.exit(1);
});
