import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diesWithParent } from '#stack/command.ts';
import { prepareRedis } from '#stack/components/redis.ts';
import type { ProcessSpec } from '#stack/supervised-process.ts';
import { until } from './api.ts';

/** A Redis of one test file's own, that it may stop and start again at the same address. */
export class OwnRedis {
  readonly url: string;
  readonly #spec: ProcessSpec;
  readonly #dir: string;
  #child: ChildProcess | undefined;

  private constructor(url: string, spec: ProcessSpec, dir: string) {
    this.url = url;
    this.#spec = spec;
    this.#dir = dir;
  }

  static async start(): Promise<OwnRedis> {
    const dir = await mkdtemp(join(tmpdir(), 'tallycard-redis-'));
    const env = { PATH: process.env.PATH };
    const containerName = `tallycard-test-redis-${process.pid}`;
    const redis = await prepareRedis({ dir, env, host: '127.0.0.1', progress: () => undefined, containerName });
    if (redis.process === undefined) throw new Error('a Redis that was given cannot be stopped');
    const own = new OwnRedis(redis.uri, redis.process, dir);
    await own.resume();
    return own;
  }

  /** Starts it again, empty; ready when the promise resolves. */
  async resume(): Promise<void> {
    await this.#spec.beforeStart?.();
    const [command = '', ...args] = [...diesWithParent(), this.#spec.command, ...this.#spec.args];
    this.#child = spawn(command, args, { env: this.#spec.env, cwd: this.#spec.cwd, stdio: 'ignore' });
    await until('Redis is up', this.#spec.isReady);
  }

  /** Kills it; gone when the promise resolves. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.#dir, { recursive: true, force: true });
  }
}
