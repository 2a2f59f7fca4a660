import { expect, test } from '@jest/globals';
import { AppError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { LockManager } from '#platform/redis/lock.ts';
import type { Card } from './card.ts';
import { Ledger } from './ledger.ts';
import type { LedgerCommand } from './ledger-command.ts';
import type { LedgerCommit, LedgerState, LedgerStateRequest, LedgerStore } from './ports.ts';

const merchantId = newId();
const programId = newId();

function card(balanceMinor: number): Card {
  const now = new Date();
  return {
    id: newId(),
    merchantId,
    programId,
    version: 1,
    entryCount: 1,
    sealedNumber: 'sealed',
    numberHash: newId(),
    lastFourDigits: '1111',
    codeHash: 'right',
    currency: 'GBP',
    balanceMinor,
    initialValueMinor: balanceMinor,
    status: 'active',
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + 1e9),
    isPhysical: false,
    delivered: false,
  };
}

/** A store in memory that checks the conditions of a commit as the real one does, and can be made to misbehave. */
class MemoryStore implements LedgerStore {
  readonly cards = new Map<string, Card>();
  readonly commits: LedgerCommit[] = [];
  /** Called before each commit; may change cards behind the ledger's back, or throw. */
  beforeCommit: (commit: LedgerCommit) => void | Promise<void> = () => {};

  constructor(...cards: Card[]) {
    for (const each of cards) this.cards.set(each.id, each);
  }

  async load(request: LedgerStateRequest): Promise<LedgerState> {
    const cards = new Map(request.cardIds.flatMap((id) => (this.cards.has(id) ? [[id, this.cards.get(id)!]] : [])));
    return { cards, idempotency: new Map(), redemptions: new Map(), refunds: [] };
  }

  async commit(commit: LedgerCommit): Promise<boolean> {
    await this.beforeCommit(commit);
    if (commit.updates.some(({ before }) => this.cards.get(before.id)?.version !== before.version)) return false;
    for (const { after } of commit.updates) this.cards.set(after.id, after);
    this.commits.push(commit);
    return true;
  }
}

const freeLocks: LockManager = { acquire: async () => ({ release: async () => {} }) };

function createLedger(store: LedgerStore, locks = freeLocks) {
  const codeAttempts = {
    reserve: async () => ({ attemptId: '', lockedForMs: 0 }),
    forgive: async () => {},
    load: async () => new Map(),
    recordFailures: async () => {},
  };
  const metrics = { committed() {}, conflict() {}, lockWait() {} };
  return new Ledger({ store, locks, codeAttempts, clock: () => new Date(), metrics });
}

function spend(target: Card, amountMinor: number): LedgerCommand {
  return {
    action: 'redeem',
    merchantId: target.merchantId,
    programId: target.programId,
    cardIds: [target.id],
    apply(view) {
      const current = view.card(target.id);
      if (current === undefined) throw new AppError('not_found', 'card_not_found', 'none');
      const { entry } = view.post(current, { type: 'REDEMPTION', amountMinor: -amountMinor });
      return { transactionId: entry.id, balanceMinor: entry.balanceAfterMinor };
    },
  };
}

test('commands that wait while a commit is under way go into the next one together', async () => {
  const cards = Array.from({ length: 20 }, () => card(1_000));
  const store = new MemoryStore(...cards);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  store.beforeCommit = () => gate;
  const ledger = createLedger(store);
  const first = ledger.submit(spend(cards[0]!, 10));
  await new Promise(setImmediate);
  const rest = cards.slice(1).map((each) => ledger.submit(spend(each, 10)));
  open();
  await Promise.all([first, ...rest]);
  expect(store.commits.map((commit) => commit.updates.length)).toEqual([1, 19]);
});

test('commands on one card are applied one after another and written once', async () => {
  const hot = card(1_000);
  const store = new MemoryStore(hot);
  const ledger = createLedger(store);
  const results = await Promise.all(Array.from({ length: 20 }, () => ledger.submit(spend(hot, 10))));
  expect(results.map(({ answer }) => answer.balanceMinor)).toEqual(Array.from({ length: 20 }, (_, i) => 990 - i * 10));
  expect(store.commits.map((commit) => [commit.updates.length, commit.entries.length])).toEqual([[1, 20]]);
  expect(store.cards.get(hot.id)).toMatchObject({ balanceMinor: 800, version: 21, entryCount: 21 });
});

test('with many waiting, a second group goes side by side with the first, and never with one of its cards', async () => {
  const cards = Array.from({ length: 80 }, () => card(1_000));
  const store = new MemoryStore(...cards);
  let under = 0;
  let underMax = 0;
  store.beforeCommit = async () => {
    underMax = Math.max(underMax, ++under);
    await new Promise(setImmediate);
    under -= 1;
  };
  const ledger = createLedger(store);
  const hot = cards[0]!;
  await Promise.all([...cards, ...Array.from({ length: 80 }, () => hot)].map((each) => ledger.submit(spend(each, 1))));
  expect(underMax).toBe(2);
  expect(store.cards.get(hot.id)?.balanceMinor).toBe(1_000 - 81);
});

test('a command is refused on its own: the others of its group commit', async () => {
  const [rich, poor] = [card(1_000), card(5)];
  const ledger = createLedger(new MemoryStore(rich, poor));
  const [first, ...rest] = await Promise.allSettled([
    ledger.submit(spend(rich, 10)),
    ledger.submit(spend(poor, 10)),
    ledger.submit(spend(rich, 10)),
  ]);
  expect([first?.status, ...rest.map(({ status }) => status)]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a card that another writer keeps changing fails alone', async () => {
  const [calm, contested] = [card(1_000), card(1_000)];
  const store = new MemoryStore(calm, contested);
  store.beforeCommit = (commit) => {
    if (!commit.updates.some(({ before }) => before.id === contested.id)) return;
    const now = store.cards.get(contested.id)!;
    store.cards.set(contested.id, { ...now, version: now.version + 1 });
  };
  const ledger = createLedger(store);
  // Both are made to land in one group behind a first one.
  const outcomes = await Promise.allSettled([
    ledger.submit(spend(calm, 1)),
    ledger.submit(spend(contested, 1)),
    ledger.submit(spend(calm, 10)),
    ledger.submit(spend(contested, 10)),
  ]);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'ok'))).toEqual([
    'ok',
    'card_locked',
    'ok',
    'card_locked',
  ]);
  expect(store.cards.get(calm.id)?.balanceMinor).toBe(989);
  expect(store.cards.get(contested.id)?.balanceMinor).toBe(1_000);
});

test('a command that was refused on a state that did not commit is judged again', async () => {
  const target = card(100);
  const store = new MemoryStore(target);
  // Behind the ledger's back the card gets more: the first judgement, "insufficient", must not be given.
  let topUps = 1;
  store.beforeCommit = () => {
    if (topUps-- <= 0) return;
    store.cards.set(target.id, { ...target, version: 2, balanceMinor: 1_000 });
  };
  const ledger = createLedger(store);
  await Promise.all([ledger.submit(spend(target, 100)), ledger.submit(spend(target, 100))]);
  expect(store.cards.get(target.id)?.balanceMinor).toBe(800);
});

test('a card locked elsewhere is waited for, then its command alone gets card_locked', async () => {
  const [free, taken, briefly] = [card(100), card(100), card(100)];
  const freeAgainAt = performance.now() + 60;
  const locks: LockManager = {
    acquire: async (ids) => {
      if (ids.some((id) => id.endsWith(taken.id))) return undefined;
      if (ids.some((id) => id.endsWith(briefly.id)) && performance.now() < freeAgainAt) return undefined;
      return { release: async () => {} };
    },
  };
  const ledger = createLedger(new MemoryStore(free, taken, briefly), locks);
  const startedAt = performance.now();
  const outcomes = await Promise.allSettled([
    ledger.submit(spend(free, 1)),
    ledger.submit(spend(taken, 1)),
    ledger.submit(spend(briefly, 1)),
  ]);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'ok'))).toEqual([
    'ok',
    'card_locked',
    'ok',
  ]);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(245);
  expect(performance.now() - startedAt).toBeLessThan(600);
});

test("naming another merchant's card neither locks it nor waits for its lock", async () => {
  const target = card(100);
  const asked: string[] = [];
  const locks: LockManager = {
    acquire: async (resources) => {
      asked.push(...resources);
      return { release: async () => {} };
    },
  };
  const stranger = { ...spend(target, 1), merchantId: newId() };
  const ledger = createLedger(new MemoryStore(target), locks);
  await expect(ledger.submit(stranger)).rejects.toMatchObject({ code: 'card_not_found' });
  await ledger.submit(spend(target, 1));
  expect(asked).toEqual([`${stranger.merchantId}:${target.id}`, `${merchantId}:${target.id}`]);
});

test('locks that cannot be had at all refuse the commands and leave nothing behind', async () => {
  const target = card(100);
  const store = new MemoryStore(target);
  let down = true;
  const locks: LockManager = {
    acquire: async () => {
      if (down) throw new AppError('unavailable', 'unavailable', 'down');
      return { release: async () => {} };
    },
  };
  const ledger = createLedger(store, locks);
  await expect(ledger.submit(spend(target, 1))).rejects.toMatchObject({ code: 'unavailable' });
  down = false;
  await ledger.submit(spend(target, 1));
  expect(store.cards.get(target.id)?.balanceMinor).toBe(99);
});

test('a balance never goes below zero or above the limit, whatever a command asks', async () => {
  const target = card(100);
  const ledger = createLedger(new MemoryStore(target));
  await expect(ledger.submit(spend(target, 101))).rejects.toMatchObject({ code: 'insufficient_balance' });
  await expect(ledger.submit(spend(target, -999_901))).rejects.toMatchObject({ code: 'balance_limit_exceeded' });
  await expect(ledger.submit(spend(target, 0.5))).rejects.toThrow(RangeError);
});

test("another merchant's or program's command does not see the card", async () => {
  const target = card(100);
  const ledger = createLedger(new MemoryStore(target));
  const foreign = { ...spend(target, 1), merchantId: newId() };
  await expect(ledger.submit(foreign)).rejects.toMatchObject({ code: 'card_not_found' });
  const elsewhere = { ...spend(target, 1), programId: newId() };
  await expect(ledger.submit(elsewhere)).rejects.toMatchObject({ code: 'card_not_found' });
});

test('times rise card by card, even when the clock of this replica is behind', async () => {
  const ahead = { ...card(100), updatedAt: new Date(Date.now() + 60_000) };
  const store = new MemoryStore(ahead);
  await createLedger(store).submit(spend(ahead, 1));
  expect(store.commits[0]?.at.getTime()).toBe(ahead.updatedAt.getTime() + 1);
});
