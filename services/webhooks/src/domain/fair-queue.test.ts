import { describe, expect, it } from '@jest/globals';
import { FairQueue, type Job, type Slot } from './fair-queue.ts';

const limits = {
  ...{ perEndpointMax: 4, quickMax: 8, slowMax: 4, slowAfterMs: 1_000 },
  ...{ claimsMax: 100, claimMax: 16, heldMax: 64 },
};
const reference = (endpointId: string) => ({ merchantId: 'm', endpointId });
type Send = Job<string> & { kind: 'send' };
type Claim = Job<string> & { kind: 'claim' };

/** Does jobs until none is left; every queue holds `backlog` deliveries, named after it. @returns the sends. */
function run(queue: FairQueue<string>, backlog = 1_000): Send[] {
  const sends: Send[] = [];
  const left = new Map<string, number>();
  for (let job = queue.next(); job !== undefined; job = queue.next()) {
    if (job.kind === 'send') {
      sends.push(job);
      continue;
    }
    const { endpointId } = job.queue;
    const rest = left.get(endpointId) ?? backlog;
    left.set(endpointId, rest - Math.min(rest, job.max));
    job.claimed(Array.from({ length: Math.min(rest, job.max) }, () => endpointId));
  }
  return sends;
}
const slotsOf = (sends: readonly Send[]): Slot[] => sends.map((send) => send.slot);
const itemsOf = (sends: readonly Send[]): string[] => sends.map((send) => send.item);

describe('the fair queue', () => {
  it('gives an endpoint one try at first, and twice as many after each success, up to its bound', () => {
    const queue = new FairQueue<string>(limits);
    queue.wake(reference('a'));
    const underWay = slotsOf(run(queue));
    expect(underWay).toHaveLength(1);
    for (const expected of [2, 4, 4]) {
      underWay.shift()?.free('succeeded');
      underWay.push(...slotsOf(run(queue)));
      expect(underWay).toHaveLength(expected);
    }
    for (const slot of underWay) slot.free('failed');
    expect(run(queue)).toHaveLength(1);
  });

  it('learns nothing from what was not sent', () => {
    const queue = new FairQueue<string>(limits);
    queue.wake(reference('a'));
    run(queue)[0]?.slot.free('succeeded');
    const two = run(queue);
    expect(two).toHaveLength(2);
    for (const { slot } of two) slot.free('skipped');
    expect(run(queue)).toHaveLength(2);
  });

  it('lets endpoints take turns', () => {
    const queue = new FairQueue<string>({ ...limits, quickMax: 2 });
    for (const id of ['a', 'b', 'c']) queue.wake(reference(id));
    const first = run(queue);
    expect(itemsOf(first)).toEqual(['a', 'b']);
    first[0]?.slot.free('succeeded');
    expect(itemsOf(run(queue))).toEqual(['c']);
  });

  it('keeps slow endpoints out of the places of the others, with any backlog', () => {
    const queue = new FairQueue<string>(limits);
    for (let index = 0; index < limits.slowMax; index += 1) {
      queue.wake(reference(`slow-${index}`));
      for (const { slot } of run(queue)) slot.slow();
    }
    for (let index = 0; index < limits.quickMax; index += 1) queue.wake(reference(`good-${index}`));
    const started = itemsOf(run(queue));
    expect(started).toHaveLength(limits.quickMax);
    expect(started.every((item) => item.startsWith('good-'))).toBe(true);
    expect(queue.inFlight).toBe(limits.quickMax + limits.slowMax);
  });

  it('frees a quick place when a try turns slow, and takes the endpoint back when it is quick again', () => {
    const queue = new FairQueue<string>({ ...limits, quickMax: 1, slowMax: 1 });
    queue.wake(reference('slow'));
    queue.wake(reference('good'));
    const [slow] = run(queue, 2);
    expect(slow?.item).toBe('slow');
    slow?.slot.slow();
    const [good] = run(queue, 2);
    expect(good?.item).toBe('good');
    slow?.slot.free('succeeded');
    const [second] = run(queue, 2);
    expect(second?.item).toBe('slow');
    second?.slot.free('succeeded');
    good?.slot.free('succeeded');
    expect(run(queue, 2)).not.toHaveLength(0);
  });

  it('looks again when woken while it was reading', () => {
    const queue = new FairQueue<string>(limits);
    queue.wake(reference('a'));
    const claim = queue.next() as Claim;
    queue.wake(reference('a'));
    claim.claimed([]);
    expect(queue.next()).toMatchObject({ kind: 'claim', queue: reference('a') });
  });

  it('rests when a queue is empty, with every place free again', () => {
    const queue = new FairQueue<string>(limits);
    queue.wake(reference('a'));
    expect(run(queue, 0)).toEqual([]);
    expect(queue.next()).toBeUndefined();
    expect(queue.inFlight).toBe(0);
  });

  it('reads no more queues at once than allowed', () => {
    const queue = new FairQueue<string>({ ...limits, claimsMax: 1 });
    queue.wake(reference('a'));
    queue.wake(reference('b'));
    const claim = queue.next() as Claim;
    expect(queue.next()).toBeUndefined();
    claim.claimed([]);
    expect(queue.next()).toMatchObject({ kind: 'claim', queue: reference('b') });
  });

  it('holds no more than allowed, and gives up all of it when asked', () => {
    const queue = new FairQueue<string>({ ...limits, quickMax: 0 });
    for (let index = 0; index < 1_000; index += 1) queue.wake(reference(`e${index}`));
    run(queue);
    const held = queue.takeHeld();
    expect(held.length).toBeLessThanOrEqual(limits.heldMax);
    expect(held.length).toBeGreaterThan(limits.heldMax - limits.claimMax - 1);
    expect(queue.takeHeld()).toEqual([]);
  });
});
