import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress, StackError } from './progress.ts';
import { type ProcessSpec, SupervisedProcess } from './supervised-process.ts';

/** What the supervisor tells its owner. */
export interface SupervisorOptions {
  logDir: string;
  progress: Progress;
  /** Called after each start and end of a process. */
  onChange: () => void;
  /** Called when a process is given up. */
  onGiveUp: (error: StackError) => void;
  restartsPerMinuteMax?: number;
}

/** Keeps a set of named processes running. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #processes = new Map<string, SupervisedProcess>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    mkdirSync(options.logDir, { recursive: true, mode: 0o700 });
  }

  /** Starts a process and resolves when it is ready. */
  start(spec: ProcessSpec): Promise<void> {
    const process = new SupervisedProcess(spec, {
      ...this.#options,
      logFile: join(this.#options.logDir, `${spec.name}.log`),
    });
    this.#processes.set(spec.name, process);
    return process.start();
  }

  /** @throws Error when no process of that name was started */
  get(name: string): SupervisedProcess {
    const process = this.#processes.get(name);
    if (!process) throw new Error(`no process ${name}; there are ${[...this.#processes.keys()].join(', ')}`);
    return process;
  }

  /** The pid of each process that runs now. */
  pids(): Record<string, number> {
    const running = [...this.#processes].flatMap(([name, { pid }]) => (pid === undefined ? [] : [[name, pid]]));
    return Object.fromEntries(running);
  }

  /** Stops the named ones together; one that was never started is passed over. */
  async stop(names: string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#processes.get(name)?.stop()));
  }
}
