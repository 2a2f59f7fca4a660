import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const attachMsMax = 10_000;

/** Looks at a child's memory through the inspector, which it opens on SIGUSR1: nothing in the child is made for it. */
export class MemoryProbe {
  readonly #child: ChildProcess;
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(child: ChildProcess, socket: WebSocket) {
    this.#child = child;
    this.#socket = socket;
  }

  /** @param child a Node process with `--inspect-port=127.0.0.1:0` and a piped stderr. */
  static async attach(child: ChildProcess): Promise<MemoryProbe> {
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the inspector did not open')), attachMsMax);
      child.stderr?.on('data', (chunk: Buffer) => {
        const found = /ws:\/\/\S+/.exec(chunk.toString());
        if (found === null) return;
        clearTimeout(timer);
        resolve(found[0]);
      });
      child.kill('SIGUSR1');
    });
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    return new MemoryProbe(child, socket);
  }

  async afterGarbageCollection(): Promise<{ rssMb: number; heapMb: number }> {
    await this.#call('HeapProfiler.collectGarbage');
    const { usedSize } = (await this.#call('Runtime.getHeapUsage')) as { usedSize: number };
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8');
    const rssKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    return { rssMb: Math.round(rssKb / 1024), heapMb: Math.round((usedSize / 1024 / 1024) * 10) / 10 };
  }

  detach(): void {
    this.#socket.close();
  }

  #call(method: string): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve) => {
      const take = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as { id?: number; result?: unknown };
        if (message.id !== id) return;
        this.#socket.removeEventListener('message', take);
        resolve(message.result);
      };
      this.#socket.addEventListener('message', take);
      this.#socket.send(JSON.stringify({ id, method }));
    });
  }
}
