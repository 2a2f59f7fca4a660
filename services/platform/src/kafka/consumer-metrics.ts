import { Gauge, type Registry } from 'prom-client';
import { boundedRead } from '../telemetry/metrics.ts';
import type { PartitionLag } from './consumer-lag.ts';

/** Shows where a consumer group is and what it has still to process, by partition; nothing while Kafka does not say. */
export function watchConsumer(registry: Registry, group: string, read: () => Promise<readonly PartitionLag[]>): void {
  const bounded = boundedRead(read);
  const create = (named: { name: string; help: string }, of: (lag: PartitionLag) => number) =>
    new Gauge({
      ...named,
      labelNames: ['group', 'partition'],
      registers: [registry],
      async collect() {
        const lags = (await bounded()) ?? [];
        this.reset();
        for (const lag of lags) this.set({ group, partition: lag.partition }, of(lag));
      },
    });
  create(
    { name: 'tallycard_consumer_lag_events', help: 'Events that the consumer group has not processed, by partition' },
    ({ lag }) => lag,
  );
  create(
    { name: 'tallycard_consumer_offset', help: 'The next event that the consumer group has to process, by partition' },
    ({ offset }) => offset,
  );
}
