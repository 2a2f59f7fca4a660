import type { IdentityContext } from './ports.ts';

/**
 * Stores the counts that changed. A mark is taken off only once its count is stored, and only if it has not grown
 * since: whatever is killed or down in between, the next run stores it.
 */
export async function flushUsage(
  context: Pick<IdentityContext, 'apiKeys' | 'usage' | 'usageCounters' | 'now'>,
): Promise<void> {
  for await (const counts of context.usageCounters.changed()) {
    const owners = await context.apiKeys.merchantsOf([...new Set(counts.map(({ keyId }) => keyId))]);
    const owned = counts.flatMap((count) => {
      const merchantId = owners.get(count.keyId);
      return merchantId === undefined ? [] : [{ ...count, merchantId }];
    });
    await context.usage.raise(owned, context.now());
    // Counts of keys that nobody had are settled too: there is nothing to keep them under.
    await context.usageCounters.settle(counts);
  }
}
