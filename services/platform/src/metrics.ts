import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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
