import { expect, test } from '@jest/globals';
import { noLimits, principal } from '../testing.ts';
import { RequestLimits } from './request-limits.ts';
import { utcMonthOf } from './utc-month.ts';

const key = 'f00000000000000000000005';
const metering = { perMinute: 60, perHour: 1_000, perMonth: 10_000n, month: '2026-11', calls: 77n };
const apiKey = principal({ kind: 'api_key', credentialId: key, metering });

test('the month goes over at midnight UTC, and what was stored of the last one says nothing of the new one', () => {
  let now = Date.parse('2026-11-30T23:59:59.999Z');
  const limits = new RequestLimits(noLimits, () => now);
  expect(limits.principal(apiKey).meter).toEqual({
    usageKey: `usage:{${key}}:2026-11`,
    dirtyMember: `${key}:2026-11`,
    callsStored: 77,
    policy: { name: 'key-per-month', quota: 10_000, windowMs: 30 * 86_400_000 },
    endsAt: Date.parse('2026-12-01T00:00:00Z'),
  });
  now += 1;
  expect(limits.principal(apiKey).meter).toMatchObject({
    usageKey: `usage:{${key}}:2026-12`,
    callsStored: 0,
    policy: { windowMs: 31 * 86_400_000 },
    endsAt: Date.parse('2027-01-01T00:00:00Z'),
  });
});

test.each([
  ['2027-02-10T00:00:00Z', '2027-02', 28],
  ['2028-02-29T23:59:59Z', '2028-02', 29],
  ['2026-12-31T23:59:59Z', '2026-12', 31],
])('%s is in %s, of %i days', (at, name, days) => {
  const month = utcMonthOf(Date.parse(at));
  expect([month.name, (month.endsAt - month.startsAt) / 86_400_000]).toEqual([name, days]);
});

test('a key is counted by itself, a user over all his credentials', () => {
  const limits = new RequestLimits(noLimits);
  const keysOf = (who: typeof apiKey) => limits.principal(who).windows.map((window) => window.key);
  expect(keysOf(apiKey)).toEqual([`limit:key-per-minute:${key}`, `limit:key-per-hour:${key}`]);
  const [user, appKey] = [principal({}), principal({ kind: 'app_key', credentialId: key })];
  expect(keysOf(user)).toEqual([`limit:per-user:${user.userId}`]);
  expect(keysOf(appKey)).toEqual(keysOf(user));
  expect(limits.principal(user).meter).toBeUndefined();
});

test('without a monthly bound calls are metered all the same', () => {
  const unbound = { ...metering, perMonth: undefined };
  expect(new RequestLimits(noLimits).principal({ ...apiKey, metering: unbound }).meter).toMatchObject({
    policy: undefined,
  });
});

test('many addresses take no memory for good', () => {
  const limits = new RequestLimits(noLimits);
  const keys = new Set(Array.from({ length: 30_000 }, (_, i) => limits.subject('perIp', `10.0.${i}`).key));
  expect(keys.size).toBe(30_000);
  expect(limits.subject('perIp', '10.0.0').key).toBe([...keys][0]);
});
