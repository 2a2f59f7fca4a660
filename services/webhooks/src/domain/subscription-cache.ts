import type { WebhookStore } from './ports.ts';
import type { Subscription } from './webhook.ts';

/** Who wants events, at most `lifetimeMs` old. */
export interface SubscriptionCache {
  of(merchantIds: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly Subscription[]>>;
}

const merchantsMax = 20_000;
const merchantsPerReadMax = 500;

/**
 * Remembers for `lifetimeMs` which endpoints a merchant has, that it has none included, so that a flood of events
 * costs a few reads a second. An entry's age counts from before its read: a change made `lifetimeMs` ago is surely seen.
 */
export function createSubscriptionCache(webhooks: WebhookStore, lifetimeMs: number): SubscriptionCache {
  const entries = new Map<string, { readAt: number; subscriptions: Subscription[] }>();
  const read = async (merchantIds: readonly string[]) => {
    const readAt = performance.now();
    const found = Map.groupBy(await webhooks.subscriptions(merchantIds), (subscription) => subscription.merchantId);
    for (const merchantId of merchantIds) {
      entries.delete(merchantId);
      entries.set(merchantId, { readAt, subscriptions: found.get(merchantId) ?? [] });
    }
  };
  return {
    async of(merchantIds) {
      const oldest = performance.now() - lifetimeMs;
      const missing = [...merchantIds].filter((merchantId) => (entries.get(merchantId)?.readAt ?? -1) <= oldest);
      for (let start = 0; start < missing.length; start += merchantsPerReadMax) {
        await read(missing.slice(start, start + merchantsPerReadMax));
      }
      const result = new Map([...merchantIds].map((id) => [id, entries.get(id)?.subscriptions ?? []]));
      for (const [merchantId] of entries) {
        if (entries.size <= merchantsMax) break;
        entries.delete(merchantId);
      }
      return result;
    },
  };
}
