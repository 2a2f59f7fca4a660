import { join, relative, resolve } from 'node:path';
import { run } from './command.ts';
import { type Demo, demoCurlLines, readDemo } from './demo-file.ts';
import { repoRoot } from './paths.ts';
import { elapsed, type Progress, StackError } from './progress.ts';
import { mailDirOf } from './services.ts';
import { startStack } from './stack.ts';
import type { Stack } from './stack-options.ts';

const demoTimeoutMs = 60_000;
const portDefault = 8080;

const startedAtMs = Number(process.env.TALLYCARD_STARTED_AT_MS) || Date.now();
const say: Progress = (line) => process.stdout.write(`${line}\n`);

function readPort(text: string | undefined): number {
  const port = Number(text || portDefault);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new StackError(`PORT must be a number from 1 to 65535, not ${text}`);
}

async function demoOf(stack: Stack, signal: AbortSignal): Promise<Demo> {
  const file = join(stack.dataDir, 'demo.json');
  const kept = readDemo(file, stack.baseUrl);
  if (kept) return kept;
  say('making a demo merchant …');
  const env = {
    DEMO_FILE: file,
    DEMO_BASE_URL: stack.baseUrl,
    DEMO_IDENTITY_ADDR: `127.0.0.1:${stack.ports.identityGrpc}`,
    CALLER_SECRET: stack.secrets.CALLER_SECRET,
  };
  const main = join(repoRoot, 'stack', 'demo-main.ts');
  await run(process.execPath, [main], {
    cwd: repoRoot,
    env: { ...process.env, ...env },
    timeoutMs: demoTimeoutMs,
    signal,
  });
  const made = readDemo(file, stack.baseUrl);
  if (!made) throw new StackError(`${file} was not made`);
  return made;
}

function announce(stack: Stack, demo: Demo): void {
  const dataDir = relative(process.cwd(), stack.dataDir) || '.';
  say(`ready: ${stack.baseUrl} (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s)`);
  say('');
  say(
    `demo merchant: ${demo.email}, password ${demo.password}; its keys, a rival and an administrator are in ${dataDir}/demo.json`,
  );
  say('Try:');
  for (const line of demoCurlLines(demo)) say(`  ${line}`);
  say('');
  const mailDir = mailDirOf(process.env, `${dataDir}/mail`);
  say(
    mailDir === undefined ? 'Mails are sent through SMTP_URL.' : `Mails are written to ${mailDir}, one .eml file each.`,
  );
  say(`Logs are in ${dataDir}/logs. Ctrl-C stops everything.`);
}

/** Runs the stack until a signal, and resolves with the exit code once all is stopped. */
async function main(): Promise<number> {
  const cancel = new AbortController();
  const failure = Promise.withResolvers<StackError>();
  // Once is enough: a terminal, npm and the bootstrap may each deliver the same Ctrl-C.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => cancel.abort());
  const aborted = new Promise<undefined>((resolveAborted) => {
    cancel.signal.addEventListener('abort', () => {
      say('stopping …');
      resolveAborted(undefined);
    });
  });
  let stack: Stack | undefined;
  try {
    stack = await startStack({
      port: readPort(process.env.PORT),
      ...(process.env.HOST && { host: process.env.HOST }),
      dataDir: resolve(process.env.DATA_DIR || '.local'),
      onProgress: say,
      signal: cancel.signal,
      onFailure: failure.resolve,
    });
    announce(stack, await demoOf(stack, cancel.signal));
    const failed = await Promise.race([aborted, failure.promise]);
    if (failed) throw failed;
  } catch (error) {
    if (!cancel.signal.aborted) {
      say(error instanceof StackError ? error.message : String((error as Error).stack));
      return 1;
    }
  } finally {
    const stoppingAtMs = Date.now();
    await stack?.stop();
    if (stack || cancel.signal.aborted) say(`stopped (${elapsed(stoppingAtMs)})`);
  }
  return 0;
}

process.exitCode = await main();
