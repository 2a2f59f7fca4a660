import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StackError } from './progress.ts';

const outputCharsMax = 64_000;
const tailLines = 15;
const killGraceMs = 3_000;

/** How one command is run. */
export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** Called with each line of output as it comes. */
  onLine?: (line: string) => unknown;
}

/** The file that a command name stands for on PATH, if there is one. */
export function findOnPath(name: string, path: string = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((dir) => join(dir, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}

/** Its own process group, because an installer's helpers (rustc, a JVM) must stop with it. */
function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}

/**
 * Runs a command to its end and returns its output, both streams together.
 *
 * @throws StackError with the end of the output if it fails, takes longer than `timeoutMs` or is cancelled
 */
export async function run(command: string, args: string[], options: CommandOptions = {}): Promise<string> {
  options.signal?.throwIfAborted();
  const title = [command, ...args].join(' ').slice(0, 120);
  const [file = command, ...rest] = [...diesWithParent(), command, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(file, rest, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let stopped = '';
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (why: string) => {
      stopped = why;
      killGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), killGraceMs);
    };
    const onAbort = () => stop('cancelled');
    const timer = options.timeoutMs && setTimeout(() => stop('took too long'), options.timeoutMs);
    options.signal?.addEventListener('abort', onAbort);
    const onData = (chunk: string) => {
      output = (output + chunk).slice(-outputCharsMax);
      for (const line of chunk.split('\n')) if (line.trim()) options.onLine?.(line.trim());
    };
    child.stdout.setEncoding('utf8').on('data', onData);
    child.stderr.setEncoding('utf8').on('data', onData);
    child.on('error', (error) => reject(new StackError(`${title}: ${error.message}`)));
    child.on('close', (code, signal) => {
      clearTimeout(timer || undefined);
      clearTimeout(killTimer);
      options.signal?.removeEventListener('abort', onAbort);
      if (code === 0 && !stopped) return resolve(output);
      const tail = output.trim().split('\n').slice(-tailLines).join('\n');
      reject(new StackError(`${title}: ${stopped || signal || `exit code ${code}`}\n${tail}`));
    });
  });
}

let setprivWords: string[] | undefined;

/**
 * Words to put before a command so that the kernel sends it SIGTERM when this process dies, kill -9 included.
 * Empty where there is no setpriv (macOS): there the next start finds what is left in run.json.
 */
export function diesWithParent(): string[] {
  if (!setprivWords) {
    const words = ['setpriv', '--pdeathsig', 'TERM', '--'];
    const works = process.platform === 'linux' && spawnSync(words[0] ?? '', [...words.slice(1), 'true']).status === 0;
    setprivWords = works ? words : [];
  }
  return setprivWords;
}
