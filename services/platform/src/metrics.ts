import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Outbox } from './outbox.ts';

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

/** A gauge that is read when metrics are; without a value when that fails or takes too long, so that the others are still told. Reads do not pile up: one that is under way is waited for. */
export function createReadGauge(
  registry: Registry,
  { name, help }: { readonly name: string; readonly help: string },
  read: () => Promise<number>,
): void {
  let reading: Promise<number> | undefined;
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      reading ??= read()
        .catch(() => Number.NaN)
        .finally(() => {
          reading = undefined;
        });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<number>((resolve) => {
        timer = setTimeout(() => resolve(Number.NaN), readMsMax);
      });
      this.set(await Promise.race([reading, late]));
      clearTimeout(timer);
    },
  });
}

/** Shows how many outbox rows wait to be published, and for how long the first of them has. */
export function watchOutbox(outbox: Outbox, registry: Registry): void {
  createReadGauge(registry, { name: 'tallycard_outbox_pending', help: 'Outbox rows that are not published yet' }, () =>
    outbox.pending(),
  );
  createReadGauge(
    registry,
    { name: 'tallycard_outbox_lag_seconds', help: 'Age of the oldest outbox row that is not published yet' },
    async () => {
      const oldest = await outbox.oldestAt();
      return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.getTime()) / 1000;
    },
  );
}

/** Shows how many events a consumer group has still to process, by partition. */
export function createConsumerLag(registry: Registry, group: string): (partition: number, messages: number) => void {
  const lag = new Gauge({
    name: 'tallycard_consumer_lag_events',
    help: 'Events that are still to be processed, as of the last ones that were',
    labelNames: ['group', 'partition'],
    registers: [registry],
  });
  return (partition, messages) => lag.set({ group, partition }, messages);
}
