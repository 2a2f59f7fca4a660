import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Rate, errors and duration of RPCs, by RPC and outcome code. */
export interface RpcMetrics {
  observe(rpc: string, code: string, durationMs: number): void;
}

/** One registry a process: nothing registers itself globally. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}

export function createRpcMetrics(registry: Registry): RpcMetrics {
  const calls = new Counter({
    name: 'tallycard_rpc_total',
    help: 'RPCs answered, by outcome code',
    labelNames: ['rpc', 'code'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'tallycard_rpc_seconds',
    help: 'Time to answer an RPC',
    labelNames: ['rpc'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    observe(rpc, code, durationMs) {
      calls.inc({ rpc, code });
      seconds.observe({ rpc }, durationMs / 1000);
    },
  };
}

const readMsMax = 2_000;

/** Gives what `read` does; undefined when it fails or takes too long, so that the other metrics are still told. Reads do not pile up: one that is under way is waited for. */
export function boundedRead<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  return async () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), readMsMax);
    });
    const value = await Promise.race([reading, late]);
    clearTimeout(timer);
    return value;
  };
}

/** A gauge that is read when metrics are; not a number when that fails. */
export function createReadGauge(
  registry: Registry,
  { name, help }: { readonly name: string; readonly help: string },
  read: () => Promise<number>,
): void {
  const bounded = boundedRead(read);
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set((await bounded()) ?? Number.NaN);
    },
  });
}
