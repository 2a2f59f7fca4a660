import { describe, expect, it } from '@jest/globals';
import { judge, retryScheduleMs } from './delivery.ts';

const schedule = [1_000, 5_000];

describe('judge', () => {
  it.each([200, 201, 204, 299])('takes %d as delivered', (status) => {
    expect(judge({ status }, 0, schedule, 0.5)).toEqual({ kind: 'delivered', status });
  });

  it.each([199, 301, 302, 307, 400, 401, 404, 429, 500, 503])('tries again after %d', (status) => {
    expect(judge({ status }, 0, schedule, 0.5)).toMatchObject({ kind: 'retry', status, afterMs: 1_000 });
  });

  it('spreads delays by a tenth either way', () => {
    expect(judge({ fault: 'timeout' }, 1, schedule, 0)).toEqual({ kind: 'retry', error: 'timeout', afterMs: 4_500 });
    expect(judge({ fault: 'timeout' }, 1, schedule, 1)).toMatchObject({ afterMs: 5_500 });
  });

  it('gives up when the schedule is used up', () => {
    expect(judge({ status: 500 }, 2, schedule, 0.5)).toMatchObject({ kind: 'failed', disables: 'delivery_failed' });
  });

  it('gives up at once on 410', () => {
    expect(judge({ status: 410 }, 0, schedule, 0.5)).toMatchObject({ kind: 'failed', disables: 'gone' });
  });

  it('goes on for about 24 hours by default', () => {
    const hours = retryScheduleMs.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
    expect(retryScheduleMs).toHaveLength(10);
    expect(hours).toBeCloseTo(23.7, 1);
  });
});
