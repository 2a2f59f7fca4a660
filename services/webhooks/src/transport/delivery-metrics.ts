import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DeliveryMetrics } from '../domain/ports.ts';

/** Delivery counts for Prometheus. */
export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const deliveries = new Counter({
    name: 'tallycard_webhook_deliveries_total',
    help: 'Webhook tries and drops, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const lag = new Histogram({
    name: 'tallycard_webhook_delivery_lag_seconds',
    help: 'Time from an event to its delivery',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800, 7200, 86400],
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'tallycard_webhook_in_flight',
    help: 'Webhook tries under way',
    registers: [registry],
  });
  return {
    count: (outcome, by = 1) => deliveries.inc({ outcome }, by),
    observeLag: (lagMs) => lag.observe(Math.max(0, lagMs) / 1000),
    setInFlight: (count) => inFlight.set(count),
  };
}
