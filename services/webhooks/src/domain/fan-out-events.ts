import { newId } from '#platform/ids.ts';
import type { DomainEvent } from '#platform/kafka/kafka.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryMetrics, DeliveryStore, QueueReference } from './ports.ts';
import type { SubscriptionCache } from './subscription-cache.ts';
import { eventBody, type Subscription, wantsEvent } from './webhook.ts';

const rowsPerInsertMax = 500;

/**
 * Stores a delivery for each event and each endpoint that wants it, in the events' order, and resolves when all are
 * stored; a repeated event adds nothing.
 * @param wake hears of queues that got something new
 */
export function fanOutEvents(parts: {
  readonly cache: SubscriptionCache;
  readonly deliveries: DeliveryStore;
  readonly metrics: DeliveryMetrics;
  readonly wake: (queues: readonly QueueReference[]) => void;
}) {
  const store = async (rows: readonly Delivery[]) => {
    const added = await parts.deliveries.insert(rows);
    if (added < rows.length) parts.metrics.count('duplicate', rows.length - added);
    if (added > 0) parts.wake([...new Map(rows.map((row) => [row.endpointId, row])).values()]);
  };
  return async (events: readonly DomainEvent[]): Promise<void> => {
    const subscriptions = await parts.cache.of(new Set(events.map((event) => event.merchantId)));
    let rows: Delivery[] = [];
    for (const event of events) {
      const wanting = subscriptions.get(event.merchantId)?.filter((subscription) => wantsEvent(subscription, event));
      if (wanting === undefined || wanting.length === 0) continue;
      rows.push(...newDeliveries(event, wanting));
      if (rows.length >= rowsPerInsertMax) {
        await store(rows);
        rows = [];
      }
    }
    if (rows.length > 0) await store(rows);
  };
}

function newDeliveries(event: DomainEvent, subscriptions: readonly Subscription[]): Delivery[] {
  const payload = eventBody(event);
  const happenedAt = new Date(event.timestamp);
  const occurredAt = Number.isNaN(happenedAt.getTime()) ? new Date() : happenedAt;
  return subscriptions.map(({ id, merchantId }) => ({
    id: newId(),
    merchantId,
    endpointId: id,
    eventId: event.id,
    type: event.type,
    payload,
    occurredAt,
    attempts: 0,
  }));
}
