import { expect, test } from '@jest/globals';
import { limitHeaders } from './headers.ts';
import type { LimitState } from './policy.ts';

const state = (name: string, quota: number, fields: Partial<LimitState> = {}): LimitState => ({
  policy: { name, quota, windowMs: 60_000 },
  remaining: quota,
  resetSeconds: 60,
  exceeded: false,
  isMonth: false,
  ...fields,
});

test('every limit is told, and the one with the least left by itself', () => {
  const states = [
    state('per-ip', 6_000, { remaining: 5_990, resetSeconds: 12 }),
    state('key-per-minute', 60, { remaining: 7, resetSeconds: 31 }),
    { ...state('key-per-hour', 1_000), policy: { name: 'key-per-hour', quota: 1_000, windowMs: 3_600_000 } },
  ];
  expect(limitHeaders(states, 1_800_000_000_999)).toEqual({
    'RateLimit-Policy': '"per-ip";q=6000;w=60, "key-per-minute";q=60;w=60, "key-per-hour";q=1000;w=3600',
    RateLimit: '"per-ip";r=5990;t=12, "key-per-minute";r=7;t=31, "key-per-hour";r=1000;t=60',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '7',
    'X-RateLimit-Reset': '1800000031',
  });
});

test('of limits that are used up the one that was exceeded for longest', () => {
  const states = [
    state('spent', 5, { remaining: 0, resetSeconds: 3_000 }),
    state('short', 6, { remaining: 0, resetSeconds: 10, exceeded: true }),
    state('long', 7, { remaining: 0, resetSeconds: 900, exceeded: true }),
  ];
  expect(limitHeaders(states)['X-RateLimit-Limit']).toBe('7');
});

test('without limits there are no headers', () => expect(limitHeaders([])).toEqual({}));
