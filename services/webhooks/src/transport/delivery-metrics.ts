import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { createReadGauge } from '#platform/telemetry/metrics.ts';
import type { DeliveryMetrics, DeliveryStore } from '../domain/ports.ts';

const lagBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800, 7200, 86400];
/** Counting goes no further: past this the queue is long, and how long is no matter. */
const queueCountedMax = 100_000;

/** Delivery counts for Prometheus. */
export function createDeliveryMetrics(registry: Registry, store: Pick<DeliveryStore, 'countPending'>): DeliveryMetrics {
  const deliveries = new Counter({
    name: 'tallycard_webhook_deliveries_total',
    help: 'Webhook tries and drops, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const lag = new Histogram({
    name: 'tallycard_webhook_delivery_lag_seconds',
    help: 'Time from an event to its delivery',
    buckets: lagBuckets,
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'tallycard_webhook_in_flight',
    help: 'Webhook tries under way',
    registers: [registry],
  });
  const firstTryLag = new Histogram({
    name: 'tallycard_webhook_first_try_lag_seconds',
    help: 'Time from an event to the first try to deliver it',
    buckets: lagBuckets,
    registers: [registry],
  });
  createReadGauge(
    registry,
    { name: 'tallycard_webhook_queue_depth', help: 'Webhook deliveries that wait for a try, of all replicas together' },
    () => store.countPending(queueCountedMax),
  );
  return {
    count: (outcome, by = 1) => deliveries.inc({ outcome }, by),
    observeLag: (lagMs) => lag.observe(Math.max(0, lagMs) / 1000),
    observeFirstTry: (lagMs) => firstTryLag.observe(Math.max(0, lagMs) / 1000),
    setInFlight: (count) => inFlight.set(count),
  };
}
