import { isId } from '#platform/ids.ts';
import type { DomainEvent } from '#platform/kafka.ts';
import type { Logger } from '#platform/logging.ts';

/** Takes a batch off `events.v1`; its offset moves when this resolves. Messages that are no events are passed over. */
export function onEvents(fanOut: (events: readonly DomainEvent[]) => Promise<void>, logger: Logger) {
  return async (batch: readonly DomainEvent[]): Promise<void> => {
    const events = batch.filter(isEvent);
    if (events.length < batch.length) {
      logger.error({ count: batch.length - events.length }, 'messages that are no events were passed over');
    }
    await fanOut(events);
  };
}

/** Producers are our own services, but one bad message must not stop everything behind it. */
function isEvent(message: unknown): message is DomainEvent {
  if (typeof message !== 'object' || message === null) return false;
  const { id, type, merchantId, timestamp, data } = message as Record<string, unknown>;
  const hasIds = typeof id === 'string' && isId(id) && typeof merchantId === 'string' && isId(merchantId);
  return (
    hasIds && typeof type === 'string' && typeof timestamp === 'string' && typeof data === 'object' && data !== null
  );
}
