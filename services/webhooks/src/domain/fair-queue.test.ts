import { createFairQueue, type FairQueue, type Slot } from './fair-queue.ts';

const limits = { perEndpointMax: 4, quickMax: 8, slowMax: 4, slowAfterMs: 1_000, claimsMax: 100 };
const reference = (endpointId: string) => ({ merchantId: 'm', endpointId });

/** Takes turns until none is left; every queue is as full as `backlog` says. */
function drain(queue: FairQueue, backlog: (endpointId: string) => number): { endpointId: string; slots: Slot[] }[] {
  const turns = [];
  for (let turn = queue.next(); turn !== undefined; turn = queue.next()) {
    const found = Math.min(turn.room, backlog(turn.queue.endpointId));
    turns.push({ endpointId: turn.queue.endpointId, slots: turn.settle(found) });
  }
  return turns;
}

describe('the fair queue', () => {
  it('gives an endpoint one try at first, and twice as many after each success, up to its bound', () => {
    const queue = createFairQueue(limits);
    queue.wake(reference('a'));
    let slots = drain(queue, () => 100).flatMap((turn) => turn.slots);
    const seen = [slots.length];
    for (let round = 0; round < 3; round += 1) {
      for (const slot of slots) slot.free(true);
      slots = drain(queue, () => 100).flatMap((turn) => turn.slots);
      seen.push(slots.length);
    }
    expect(seen).toEqual([1, 2, 4, 4]);
    for (const slot of slots) slot.free(false);
    expect(drain(queue, () => 100).flatMap((turn) => turn.slots)).toHaveLength(1);
  });

  it('lets endpoints take turns', () => {
    const queue = createFairQueue({ ...limits, quickMax: 2 });
    for (const id of ['a', 'b', 'c']) queue.wake(reference(id));
    const first = drain(queue, () => 100);
    expect(first.map((turn) => turn.endpointId)).toEqual(['a', 'b']);
    first[0]?.slots[0]?.free(true);
    expect(drain(queue, () => 100).map((turn) => turn.endpointId)).toEqual(['c']);
  });

  it('keeps slow endpoints out of the places of the others, with any backlog', () => {
    const queue = createFairQueue(limits);
    for (let index = 0; index < limits.slowMax; index += 1) {
      queue.wake(reference(`slow-${index}`));
      for (const turn of drain(queue, () => 100)) turn.slots[0]?.slow();
    }
    for (let index = 0; index < limits.quickMax; index += 1) queue.wake(reference(`good-${index}`));
    const started = drain(queue, () => 100).map((turn) => turn.endpointId);
    expect(started).toHaveLength(limits.quickMax);
    expect(started.every((endpointId) => endpointId.startsWith('good-'))).toBe(true);
    expect(queue.inFlight()).toBe(limits.quickMax + limits.slowMax);
  });

  it('frees a quick place when a try turns slow', () => {
    const queue = createFairQueue({ ...limits, quickMax: 1, slowMax: 1 });
    queue.wake(reference('slow'));
    queue.wake(reference('good'));
    const [slow] = drain(queue, () => 1);
    expect(slow?.endpointId).toBe('slow');
    slow?.slots[0]?.slow();
    expect(drain(queue, () => 1).map((turn) => turn.endpointId)).toEqual(['good']);
  });

  it('looks again when woken while it was reading', () => {
    const queue = createFairQueue(limits);
    queue.wake(reference('a'));
    const turn = queue.next();
    queue.wake(reference('a'));
    turn?.settle(0);
    expect(queue.next()?.queue).toEqual(reference('a'));
  });

  it('rests when a queue is empty, with every place free again', () => {
    const queue = createFairQueue(limits);
    queue.wake(reference('a'));
    expect(drain(queue, () => 0)).toHaveLength(1);
    expect(queue.next()).toBeUndefined();
    expect(queue.inFlight()).toBe(0);
  });

  it('reads no more queues at once than allowed', () => {
    const queue = createFairQueue({ ...limits, claimsMax: 1 });
    queue.wake(reference('a'));
    queue.wake(reference('b'));
    const turn = queue.next();
    expect(queue.next()).toBeUndefined();
    turn?.settle(0);
    expect(queue.next()?.queue).toEqual(reference('b'));
  });
});
