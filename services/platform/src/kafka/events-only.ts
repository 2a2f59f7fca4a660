import { isId } from '../ids.ts';
import type { Logger } from '../telemetry/logging.ts';
import type { DomainEvent } from './kafka.ts';

/** Hands on what is an event; other messages are passed over, since one bad message must not stop everything behind it. */
export function eventsOnly(handle: (events: readonly DomainEvent[]) => Promise<void>, logger: Logger) {
  return async (batch: readonly DomainEvent[]): Promise<void> => {
    const events = batch.filter(isEvent);
    if (events.length < batch.length) {
      logger.error({ count: batch.length - events.length }, 'messages that are no events were passed over');
    }
    await handle(events);
  };
}

function isEvent(message: unknown): message is DomainEvent {
  if (typeof message !== 'object' || message === null) return false;
  const { id, type, merchantId, timestamp, data } = message as Record<string, unknown>;
  const hasIds = typeof id === 'string' && isId(id) && typeof merchantId === 'string' && isId(merchantId);
  return (
    hasIds && typeof type === 'string' && typeof timestamp === 'string' && typeof data === 'object' && data !== null
  );
}
