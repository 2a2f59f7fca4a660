import type { Registry } from 'prom-client';
import { createReadGauge } from '../telemetry/metrics.ts';
import type { Outbox } from './outbox.ts';

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
