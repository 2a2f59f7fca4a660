import { isId } from '#platform/ids.ts';
import type { RedisClient } from '#platform/redis/redis.ts';
import type { UsageCounters } from '../domain/ports.ts';
import type { UsageCount } from '../domain/usage.ts';

/** Marks `<key id>:<month>` of the counters that changed; set by the gateways, in the script that counts. */
const dirtyKey = 'usage:dirty';
/** When a run began that has since stored everything that was marked then; milliseconds. */
const storedAtKey = 'usage:stored-at';
const batchSize = 500;
const batchesMax = 400;
const markPattern = /^[0-9a-f]{24}:\d{4}-(0[1-9]|1[0-2])$/;

// Takes off each mark whose counter still stands as given; an empty text is a counter that is gone.
const settleScript = `
for i = 2, #KEYS do
  local value = redis.call('GET', KEYS[i]) or ''
  if value == ARGV[i * 2 - 2] then redis.call('SREM', KEYS[1], ARGV[i * 2 - 3]) end
end
return 0`;

const counterKey = (keyId: string, month: string) => `usage:{${keyId}}:${month}`;

/** The counters that the gateways keep in Redis. */
export function createUsageCounters(redis: RedisClient): UsageCounters {
  const settle = async (marks: readonly { mark: string; value: string }[]) => {
    if (marks.length === 0) return;
    const keys = marks.map(({ mark }) => counterKey(mark.slice(0, 24), mark.slice(25)));
    const values = marks.flatMap(({ mark, value }) => [mark, value]);
    await redis.eval(settleScript, { keys: [dirtyKey, ...keys], arguments: values });
  };

  /** The counts that the marks stand for; marks that stand for none are taken off. */
  const countsOf = async (found: readonly string[]): Promise<UsageCount[]> => {
    const marks = [...new Set(found)].filter((mark) => markPattern.test(mark));
    const malformed = found.filter((mark) => !markPattern.test(mark));
    if (malformed.length > 0) await redis.sRem(dirtyKey, malformed);
    if (marks.length === 0) return [];
    const values = await redis.mGet(marks.map((mark) => counterKey(mark.slice(0, 24), mark.slice(25))));
    const read = marks.map((mark, index) => ({ mark, value: values[index] ?? '' }));
    await settle(read.filter(({ value }) => !isCount(value)));
    return read
      .filter(({ value }) => isCount(value))
      .map(({ mark, value }) => ({ keyId: mark.slice(0, 24), month: mark.slice(25), calls: Number(value) }));
  };

  return {
    async read(keyId, months) {
      if (!isId(keyId) || !redis.isReady) return [];
      const values = await redis.mGet(months.map((month) => counterKey(keyId, month))).catch(() => []);
      return months.flatMap((month, index) => {
        const value = values[index] ?? '';
        return isCount(value) ? [{ keyId, month, calls: Number(value) }] : [];
      });
    },
    async *changed() {
      const beganAt = Date.now();
      let cursor = '0';
      for (let batch = 1; batch <= batchesMax; batch += 1) {
        const scanned = await redis.sScan(dirtyKey, cursor, { COUNT: batchSize });
        const counts = await countsOf(scanned.members);
        if (counts.length > 0) yield counts;
        cursor = scanned.cursor;
        if (cursor === '0') {
          // Reached only once the last batch was settled too.
          await redis.set(storedAtKey, String(beganAt));
          return;
        }
      }
    },
    async waiting() {
      const marks = await redis.sCard(dirtyKey);
      if (marks === 0) return { counters: 0, ageMs: 0 };
      // A Redis that was emptied knows of no run: the age counts from the first look.
      await redis.set(storedAtKey, String(Date.now()), { condition: 'NX' });
      const storedAt = Number(await redis.get(storedAtKey));
      return { counters: marks, ageMs: Math.max(0, Date.now() - storedAt) };
    },
    settle: (counts) =>
      settle(counts.map(({ keyId, month, calls }) => ({ mark: `${keyId}:${month}`, value: String(calls) }))),
  };
}

function isCount(value: string): boolean {
  return /^\d{1,15}$/.test(value);
}
