import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { diesWithParent } from './command.ts';
import { elapsed, type Progress, StackError } from './progress.ts';
import { RestartBudget } from './restart-budget.ts';

const probeIntervalMs = 50;
const logBytesMax = 20_000_000;
const logTailLines = 20;
const restartsPerMinuteMax = 12;
/** A process that has never been up yet is not worth a minute of tries. */
const firstStartDeathsMax = 3;

/** One process to keep running. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Asked again and again until it says true. */
  isReady: () => Promise<boolean>;
  readyTimeoutMs: number;
  stopTimeoutMs: number;
  /** Done before each start, as removing the container of the last one. */
  beforeStart?: () => Promise<unknown>;
}

/** What a process needs of its surroundings. */
export interface Surroundings {
  logFile: string;
  progress: Progress;
  /** Called after each start and end. */
  onChange: () => void;
  /** Called when it is given up for good. */
  onGiveUp: (error: StackError) => void;
  restartsPerMinuteMax?: number;
}

/** The last lines of a log, for an error message. */
export function tailOf(logFile: string): string {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-logTailLines).join('\n');
  } catch {
    return '';
  }
}

/** Runs one process, and again whenever it dies, until it is stopped. */
export class SupervisedProcess {
  readonly spec: ProcessSpec;
  readonly #around: Surroundings;
  readonly #stopping = new AbortController();
  readonly #budget: RestartBudget;
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #wasReady = false;
  #isRestarting = false;
  #deathsBeforeReady = 0;
  #child: ChildProcess | undefined;
  #exited: Promise<string> = Promise.resolve('');
  #loop: Promise<void> | undefined;

  constructor(spec: ProcessSpec, around: Surroundings) {
    this.spec = spec;
    this.#around = around;
    this.#budget = new RestartBudget(around.restartsPerMinuteMax ?? restartsPerMinuteMax);
    this.#ready.promise.catch(() => {});
  }

  /** The pid while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it; ready when the promise resolves. */
  start(): Promise<void> {
    this.#loop ??= this.#keepRunning().catch((error: Error) => this.#giveUp(error.message));
    return this.waitReady();
  }

  /** Resolves when it is up (again); rejects when it is given up or stopped. */
  waitReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** Sends a signal. After one that ends a process, resolves when it has ended and before it is started again. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const exited = this.#exited;
    if (!this.#child?.kill(signal)) return;
    if (signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT') await exited;
  }

  /** Stops it in good order and starts it again with the same arguments, hence the same ports and data. */
  async restart(): Promise<void> {
    this.#isRestarting = true;
    await this.#end();
    await this.waitReady();
  }

  /** Stops it for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#ready.reject(new StackError(`${this.spec.name} was stopped`));
    await this.#end();
    await this.#loop;
  }

  async #end(): Promise<void> {
    const exited = this.#exited;
    this.#child?.kill('SIGTERM');
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), this.spec.stopTimeoutMs);
    await exited.finally(() => clearTimeout(timer));
  }

  async #keepRunning(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.spec.beforeStart?.();
      if (this.#stopping.signal.aborted) return;
      const exited = this.#spawn();
      this.#exited = exited;
      void this.#announceReady(exited);
      const how = await exited;
      if (this.#isReady) this.#ready = Promise.withResolvers<void>();
      this.#ready.promise.catch(() => {});
      this.#isReady = false;
      this.#around.onChange();
      if (this.#stopping.signal.aborted) return;
      if (!(await this.#mayStartAgain(how))) return;
    }
  }

  async #mayStartAgain(how: string): Promise<boolean> {
    if (this.#isRestarting) {
      this.#isRestarting = false;
      return true;
    }
    if (!this.#wasReady) this.#deathsBeforeReady++;
    const delayMs = this.#budget.next(Date.now());
    if (delayMs === undefined || this.#deathsBeforeReady >= firstStartDeathsMax) {
      this.#giveUp(this.#wasReady ? `keeps dying (last: ${how})` : `does not start (${how})`);
      return false;
    }
    this.#around.progress(`${this.spec.name} died (${how}); starting it again`);
    await sleep(delayMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    return true;
  }

  /** Resolves with how it ended. Only for a failed spawn (no such file) there is no process at all. */
  #spawn(): Promise<string> {
    const { command, args, env, cwd } = this.spec;
    const [file = command, ...rest] = [...diesWithParent(), command, ...args];
    const log = this.#openLog();
    // Its own session: a Ctrl-C in the terminal must reach the starter only, which then stops all in order.
    const child = spawn(file, rest, { cwd, env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    this.#around.onChange();
    return new Promise((resolve) => {
      const finish = (how: string) => {
        if (this.#child === child) this.#child = undefined;
        resolve(how);
      };
      child.on('error', (error) => child.pid === undefined && finish(error.message));
      child.on('exit', (code, signal) => finish(signal ?? `exit code ${code}`));
    });
  }

  #openLog(): number {
    const { logFile } = this.#around;
    const log = openSync(logFile, 'a', 0o600);
    if (fstatSync(log).size < logBytesMax) return log;
    closeSync(log);
    renameSync(logFile, `${logFile}.1`);
    return openSync(logFile, 'a', 0o600);
  }

  async #announceReady(exited: Promise<string>): Promise<void> {
    const startedAtMs = Date.now();
    let isOver = false;
    let fault = '';
    void exited.then(() => {
      isOver = true;
    });
    const isReady = () => {
      return this.spec.isReady().catch((error: Error) => {
        fault = `: ${error.message}`;
        return false;
      });
    };
    while (!(await isReady()) && !isOver) {
      if (Date.now() - startedAtMs > this.spec.readyTimeoutMs) {
        this.#around.progress(`${this.spec.name} is not ready after ${elapsed(startedAtMs)}, killing it${fault}`);
        this.#child?.kill('SIGKILL');
        return;
      }
      await sleep(probeIntervalMs);
    }
    if (isOver) return;
    this.#isReady = true;
    this.#wasReady = true;
    this.#ready.resolve();
    this.#around.progress(`${this.spec.name} is up (${elapsed(startedAtMs)})`);
  }

  #giveUp(why: string): void {
    const tail = tailOf(this.#around.logFile);
    const error = new StackError(`${this.spec.name} ${why}; the end of ${this.#around.logFile}:\n${tail}`);
    this.#ready.reject(error);
    this.#around.onGiveUp(error);
  }
}
