import type { ClaimedDelivery, Outcome } from './delivery.ts';
import type { DeliveryStore } from './ports.ts';

interface Waiting {
  readonly delivery: ClaimedDelivery;
  readonly outcome: Outcome;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const resultsPerWriteMax = 64;

/** Writes results in groups: those that come while a write is under way go into the next. A lone one is not delayed. */
export function createResultWriter(deliveries: DeliveryStore) {
  const waiting: Waiting[] = [];
  let writing = false;

  const writeAll = async () => {
    writing = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, resultsPerWriteMax);
      try {
        await deliveries.finish(group);
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    writing = false;
  };

  return {
    /** Resolves when the outcome is stored. */
    write(delivery: ClaimedDelivery, outcome: Outcome): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ delivery, outcome, resolve, reject });
        if (!writing) void writeAll();
      });
    },
  };
}
