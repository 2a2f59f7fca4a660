import { Counter, Histogram, type Registry } from 'prom-client';
import type { Route } from '../routes/route.ts';

/** Rate, errors and duration of requests, by operation. */
export function createHttpMetrics(registry: Registry) {
  const requests = new Counter({
    name: 'tallycard_http_requests_total',
    help: 'Requests answered, by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'tallycard_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return (route: Route, status: number, durationMs: number): void => {
    requests.inc({ operation: route.operationId, status });
    seconds.observe({ operation: route.operationId }, durationMs / 1000);
  };
}
