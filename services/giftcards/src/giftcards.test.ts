import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { callerOf, codeOf, GiftCardsBench, type IssuedCard } from './testing.ts';

const bench = new GiftCardsBench('giftcards');
let now = () => new Date();
const dayMs = 86_400_000;

beforeAll(async () => {
  await bench.startReplica({ clock: () => now() });
});
afterAll(() => bench.stop());

const redeem = (card: IssuedCard, amountMinor: number, key?: string) =>
  bench.client.redeemCard({ target: bench.target(card.card, key), amountMinor: BigInt(amountMinor) }, bench.caller);
const reload = (card: IssuedCard, amountMinor: number, key?: string) =>
  bench.client.reloadCard({ target: bench.target(card.card, key), amountMinor: BigInt(amountMinor) }, bench.caller);
const activate = (card: IssuedCard, securityCode?: string) =>
  bench.client.activateCard({ target: bench.target(card.card), securityCode }, bench.caller);
const suspend = (card: IssuedCard, suspendedUntil?: Date) =>
  bench.client.suspendCard({ target: bench.target(card.card), reason: 'lost', suspendedUntil }, bench.caller);
const unsuspend = (card: IssuedCard) => bench.client.unsuspendCard({ target: bench.target(card.card) }, bench.caller);
const voidCard = (card: IssuedCard) =>
  bench.client.voidCard({ target: bench.target(card.card), reason: 'returned' }, bench.caller);
const refund = (card: IssuedCard, transactionId: string, amountMinor?: number) =>
  bench.client.refundTransaction(
    {
      target: bench.target(card.card),
      transactionId,
      amountMinor: amountMinor === undefined ? undefined : BigInt(amountMinor),
    },
    bench.caller,
  );
const transfer = (from: IssuedCard, to: IssuedCard, amountMinor: number, changes: object = {}) =>
  bench.client.transferBalance(
    {
      target: bench.target(from.card),
      securityCode: from.code,
      destinationCardNumber: to.card.cardNumber,
      amountMinor: BigInt(amountMinor),
      ...changes,
    },
    bench.caller,
  );
const wrongCode = (card: IssuedCard) => (card.code === '123456' ? '654321' : '123456');
const statusOf = async (card: IssuedCard) => {
  const found = await bench.client.getCard({ ...bench.target(card.card), includeTransactions: false }, bench.caller);
  return found.card?.status;
};
const history = async (card: IssuedCard) => {
  const where = { ...bench.target(card.card), cardId: card.card.id, page: { offset: 0, limit: 250 } };
  return (await bench.client.listTransactions(where, bench.caller)).transactions;
};

/** Brings a fresh card of 50.00 into each status. */
const make: Record<string, () => Promise<IssuedCard>> = {
  pending: () => bench.pendingCard(5_000),
  active: () => bench.activeCard(5_000),
  async suspended() {
    const card = await bench.activeCard(5_000);
    await suspend(card);
    return card;
  },
  async depleted() {
    const card = await bench.activeCard(5_000);
    await redeem(card, 5_000);
    return card;
  },
  async voided() {
    const card = await bench.activeCard(5_000);
    await voidCard(card);
    return card;
  },
  async expired() {
    const card = await bench.pendingCard(5_000, { expiresAt: new Date(now().getTime() + 1_000) });
    await activate(card);
    const expiry = Number(card.card.expiresAt);
    // The clock jumps past this card's expiry; every other card lives for a year.
    now = () => new Date(Math.max(Date.now(), expiry + 1));
    return card;
  },
};

describe('moves between statuses', () => {
  const moves: [string, (card: IssuedCard) => Promise<unknown>, Record<string, string>][] = [
    ['activate', (card) => activate(card), { pending: 'active' }],
    ['reload', (card) => reload(card, 100), { active: 'active', depleted: 'active' }],
    ['suspend', (card) => suspend(card), { active: 'suspended' }],
    ['unsuspend', (card) => unsuspend(card), { suspended: 'active' }],
    ['void', voidCard, { pending: 'voided', active: 'voided', suspended: 'voided', depleted: 'voided' }],
  ];
  const cases = moves.flatMap(([name, move, allowed]) =>
    Object.keys(make).map((status) => [name, status, allowed[status] ?? 'invalid_transition', move] as const),
  );
  test.each(cases)('%s from %s gives %s', async (_, status, expected, move) => {
    const card = await make[status]!();
    const code = await codeOf(move(card));
    expect(code === 'none' ? await statusOf(card) : code).toBe(expected);
  });

  test.each(Object.keys(make))('a %s card spends only if it is active', async (status) => {
    const card = await make[status]!();
    expect(await codeOf(redeem(card, 1))).toBe(status === 'active' ? 'none' : 'card_not_active');
  });
});

test('issue, activate, spend, reload: the ledger tells the story', async () => {
  const card = await bench.pendingCard(5_000, { customMessage: '<b>Happy</b> <script>x</script>birthday' });
  expect(card.card).toMatchObject({ status: 'pending', balanceMinor: 0n, initialValueMinor: 5_000n });
  expect(card.card.customMessage).toBe('Happy xbirthday');
  await activate(card);
  const spent = await redeem(card, 1_250);
  expect(spent).toMatchObject({ amountMinor: 1_250n, balanceMinor: 3_750n, status: 'active', replayed: false });
  await reload(card, 1_000);
  const entries = await history(card);
  expect(entries.map((entry) => [entry.transactionType, entry.amountMinor, entry.balanceAfterMinor])).toEqual([
    ['RELOAD', 1_000n, 4_750n],
    ['REDEMPTION', -1_250n, 3_750n],
    ['ACTIVATION', 5_000n, 5_000n],
  ]);
});

test('pages of a history are exact', async () => {
  const card = await bench.activeCard(5_000);
  for (let i = 1; i <= 5; i += 1) await redeem(card, i);
  const page = await bench.client.listTransactions(
    { ...bench.target(card.card), page: { offset: 1, limit: 2 } },
    bench.caller,
  );
  expect(page.total).toBe(6);
  expect(page.transactions.map((entry) => entry.amountMinor)).toEqual([-4n, -3n]);
});

test('no move takes an amount of zero or less, whoever asks', async () => {
  const card = await bench.activeCard(500);
  const { transactionId } = await redeem(card, 100);
  for (const amount of [0, -1]) {
    const moves = [redeem(card, amount), reload(card, amount), refund(card, transactionId, amount)];
    expect(await Promise.all(moves.map(codeOf))).toEqual(moves.map(() => 'invalid_amount'));
  }
});

test('redeem refuses more than the balance and depletes at zero', async () => {
  const card = await bench.activeCard(500);
  expect(await codeOf(redeem(card, 501))).toBe('insufficient_balance');
  expect(await redeem(card, 500)).toMatchObject({ balanceMinor: 0n, status: 'depleted' });
});

test('reload refuses to pass the limit and says how much may be added', async () => {
  const card = await bench.activeCard(999_900);
  await expect(reload(card, 101)).rejects.toMatchObject({
    code: 'balance_limit_exceeded',
    details: { currentBalance: '9999.00', reloadAmount: '1.01', maxBalance: '10000.00', availableReloadAmount: '1.00' },
  });
  await reload(card, 100);
});

test('refunds give a redemption back in parts, and no more', async () => {
  const card = await bench.activeCard(5_000);
  const { transactionId } = await redeem(card, 5_000);
  await refund(card, transactionId, 2_000);
  expect(await codeOf(refund(card, transactionId, 3_001))).toBe('refund_exceeds_redemption');
  expect(await refund(card, transactionId)).toMatchObject({ amountMinor: 3_000n, balanceMinor: 5_000n });
  expect(await codeOf(refund(card, transactionId))).toBe('refund_exceeds_redemption');
  expect(await codeOf(refund(card, newId()))).toBe('transaction_not_found');
  const activation = (await history(card)).find((entry) => entry.transactionType === 'ACTIVATION');
  expect(await codeOf(refund(card, String(activation?.id)))).toBe('not_refundable');
  const other = await bench.activeCard(100);
  expect(await codeOf(refund(other, transactionId))).toBe('transaction_not_found');
});

test('void takes the balance to zero with an entry', async () => {
  const card = await bench.activeCard(700);
  const voided = await voidCard(card);
  expect(voided).toMatchObject({ amountMinor: 700n, balanceMinor: 0n, status: 'voided' });
  expect((await history(card))[0]).toMatchObject({
    id: voided.transactionId,
    transactionType: 'VOID',
    amountMinor: -700n,
  });
});

describe('transfer', () => {
  test('moves the amount, depletes the source at zero, and both entries carry the transfer id', async () => {
    const [from, to] = [await bench.activeCard(700), await bench.activeCard(100)];
    const done = await transfer(from, to, 700, { description: 'gift', referenceId: 'R1' });
    expect(done).toMatchObject({ sourceBalanceMinor: 0n, sourceStatus: 'depleted', destinationBalanceMinor: 800n });
    expect(done.destinationCardNumber).toBe(to.card.cardNumber);
    const [out, into] = [(await history(from))[0], (await history(to))[0]];
    const shared = { transferId: done.transferId, description: 'gift', referenceId: 'R1' };
    expect(out).toMatchObject({ ...shared, transactionType: 'TRANSFER_OUT', amountMinor: -700n });
    expect(into).toMatchObject({ ...shared, transactionType: 'TRANSFER_IN', amountMinor: 700n });
  });

  test('refuses in the decided order', async () => {
    const [from, to] = [await bench.activeCard(999_000), await bench.activeCard(999_900)];
    const missing = { ...to, card: { ...to.card, cardNumber: '4111111111111111' } };
    const stranger = { ...from, card: { ...from.card, id: newId() } };
    const pending = await bench.pendingCard(100);
    const bad = { securityCode: wrongCode(from) };
    expect(await codeOf(transfer(stranger, missing, 0, bad))).toBe('invalid_amount');
    await expect(transfer(stranger, missing, 1, bad)).rejects.toThrow('source card');
    await expect(transfer(from, missing, 1, bad)).rejects.toThrow('destination card');
    expect(await codeOf(transfer(from, from, 1, bad))).toBe('same_card');
    expect(await codeOf(transfer(from, pending, 9_999_999, bad))).toBe('incorrect_security_code');
    await expect(transfer(from, pending, 9_999_999)).rejects.toMatchObject({
      code: 'card_not_active',
      details: { cardId: pending.card.id, status: 'pending' },
    });
    expect(await codeOf(transfer(from, to, 999_001))).toBe('insufficient_balance');
    expect(await codeOf(transfer(from, to, 101))).toBe('balance_limit_exceeded');
    expect(await codeOf(transfer(from, to, 100))).toBe('none');
  });

  test('a card of another program is not found', async () => {
    const [from, to] = [await bench.activeCard(100), await bench.activeCard(100)];
    const elsewhere = { target: { ...bench.target(from.card), programId: newId() } };
    expect(await codeOf(transfer(from, to, 1, elsewhere))).toBe('card_not_found');
  });

  test('five wrong codes lock the code checks of every route for 15 minutes', async () => {
    const [from, to] = [await bench.pendingCard(100), await bench.activeCard(100)];
    expect(await codeOf(activate(from, wrongCode(from)))).toBe('incorrect_security_code');
    await activate(from, from.code);
    const check = (code: string) =>
      bench.client.checkBalance({ cardNumber: from.card.cardNumber, securityCode: code }, bench.caller);
    for (let i = 0; i < 2; i += 1) expect(await codeOf(check(wrongCode(from)))).toBe('card_not_found');
    for (let i = 0; i < 2; i += 1) {
      expect(await codeOf(transfer(from, to, 1, { securityCode: wrongCode(from) }))).toBe('incorrect_security_code');
    }
    expect(await codeOf(transfer(from, to, 1))).toBe('security_code_locked');
    expect(await codeOf(check(from.code))).toBe('security_code_locked');
    const before = now;
    now = () => new Date(before().getTime() + 15 * 60_000 + 1_000);
    expect(await codeOf(transfer(from, to, 1))).toBe('none');
    expect(await codeOf(check(from.code))).toBe('none');
  });
});

describe('idempotency', () => {
  test('a repeat gives the first answer, whatever came after', async () => {
    const [from, to] = [await bench.activeCard(1_000), await bench.activeCard(100)];
    const keyed = { target: bench.target(from.card, 'k1') };
    const first = await transfer(from, to, 300, keyed);
    await redeem(from, 50);
    expect(await transfer(from, to, 300, keyed)).toEqual({ ...first, replayed: true });
    expect(await bench.balanceOf(from.card)).toBe(650);
  });

  test.each([
    ['amount', { amountMinor: 301n }],
    ['description', { description: 'other' }],
    ['code', { securityCode: '000000' }],
  ])('the same key with another %s is refused', async (_, change) => {
    const [from, to] = [await bench.activeCard(1_000), await bench.activeCard(100)];
    const keyed = { target: bench.target(from.card, 'k1') };
    await transfer(from, to, 300, keyed);
    const code = from.code === '000000' ? { securityCode: '000001' } : change;
    expect(await codeOf(transfer(from, to, 300, { ...keyed, ...('securityCode' in change ? code : change) }))).toBe(
      'validation_error',
    );
  });

  test('a key is of one action and one pair of cards', async () => {
    const [a, b, c] = [await bench.activeCard(1_000), await bench.activeCard(100), await bench.activeCard(100)];
    const keyed = { target: bench.target(a.card, 'k1') };
    const answers = [await transfer(a, b, 10, keyed), await transfer(a, c, 10, keyed), await redeem(a, 10, 'k1')];
    expect(answers.map((answer) => answer.replayed)).toEqual([false, false, false]);
  });

  test('a refused request leaves its key free', async () => {
    const card = await bench.activeCard(100);
    expect(await codeOf(redeem(card, 200, 'k1'))).toBe('insufficient_balance');
    await reload(card, 100);
    expect(await redeem(card, 200, 'k1')).toMatchObject({ replayed: false, balanceMinor: 0n });
  });

  test('a repeated issue shows the same card without the code', async () => {
    const first = await bench.pendingCard(100, { idempotencyKey: 'i1' });
    const again = await bench.client.issueCard(
      { program: bench.program, initialValueMinor: 100n, isPhysical: false, ...noDates, idempotencyKey: 'i1' },
      bench.caller,
    );
    expect(again).toMatchObject({ replayed: true, card: { id: first.card.id, cardNumber: first.card.cardNumber } });
    expect(again.securityCode).toBeUndefined();
  });

  test('a repeated issue is recognised though the program has changed and the expiry has passed', async () => {
    const request = {
      program: bench.program,
      initialValueMinor: 100n,
      isPhysical: false,
      ...noDates,
      expiresAt: new Date(now().getTime() + 60_000),
      idempotencyKey: 'i2',
    };
    const first = await bench.client.issueCard(request, bench.caller);
    const before = now;
    now = () => new Date(before().getTime() + 61_000);
    const program = { ...bench.program, merchantName: 'Renamed', cardExpiryDays: 10 };
    const again = await bench.client.issueCard({ ...request, program }, bench.caller);
    expect(again).toMatchObject({ replayed: true, card: { id: first.card?.id } });
  });

  test('neither a number nor a code is in any stored record', async () => {
    const [from, to] = [await bench.activeCard(1_000), await bench.activeCard(100)];
    await transfer(from, to, 1, { target: bench.target(from.card, 'k9') });
    const stored = await bench.withDatabase(async (connection) => {
      const names = (await connection.listCollections()).map(({ name }) => name);
      return JSON.stringify(await Promise.all(names.map((name) => connection.collection(name).find({}).toArray())));
    });
    expect(stored).toContain(from.card.id);
    expect(stored).not.toContain(from.card.cardNumber);
    expect(stored).not.toContain(`"${from.code}"`);
  });
});

const noDates = { expiresAt: undefined, deliverAt: undefined };

describe('who may see what', () => {
  const rival = callerOf(newId());
  test("another merchant's card is not there", async () => {
    const card = await bench.activeCard(100);
    const target = bench.target(card.card);
    const calls = [
      bench.client.getCard({ ...target, includeTransactions: false }, rival),
      bench.client.redeemCard({ target, amountMinor: 1n }, rival),
      bench.client.voidCard({ target, reason: 'x' }, rival),
      bench.client.listTransactions({ ...target, page: undefined }, rival),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'card_not_found'));
    const list = await bench.client.listCards(
      { programId: target.programId, page: undefined, positiveBalance: false },
      rival,
    );
    expect(list).toEqual({ cards: [], total: 0 });
  });

  test('an anonymous caller has no cards', async () => {
    const anonymous = { ...rival, kind: 'anonymous', merchantId: '' } as const;
    const call = bench.client.listCards(
      { programId: bench.program.id, page: undefined, positiveBalance: false },
      anonymous,
    );
    expect(await codeOf(call)).toBe('unauthorized');
  });
});

describe('lists', () => {
  test.each(Object.keys(make))('status=%s finds cards that are so now', async (status) => {
    const card = await make[status]!();
    const ask = (wanted: string) =>
      bench.client.listCards(
        { programId: bench.program.id, page: undefined, positiveBalance: false, status: wanted, cardId: card.card.id },
        bench.caller,
      );
    expect((await ask(status)).cards.map(({ id }) => id)).toEqual([card.card.id]);
    const others = Object.keys(make).filter((other) => other !== status);
    for (const other of others) expect((await ask(other)).total).toBe(0);
  });

  test('q finds number, last four digits, and the beginning of name and e-mail', async () => {
    const details = { customerEmail: 'Zoe.Q@example.com', customerName: 'Zoë Quill' };
    const { card } = await bench.pendingCard(100, details);
    const ask = async (query: string) =>
      (
        await bench.client.listCards(
          { programId: bench.program.id, page: undefined, positiveBalance: false, query },
          bench.caller,
        )
      ).cards.some(({ id }) => id === card.id);
    for (const query of [card.cardNumber, card.lastFourDigits, 'zoe.q@', 'Zoë']) expect(await ask(query)).toBe(true);
    for (const query of ['quill', '.*', card.cardNumber.slice(0, 15)]) expect(await ask(query)).toBe(false);
  });
});

test('expiry is in the future and at most five years away', async () => {
  const issue = (expiresAt: Date) => codeOf(bench.pendingCard(100, { expiresAt }));
  expect(await issue(new Date(now().getTime() - 1))).toBe('validation_error');
  expect(await issue(new Date(now().getTime() + 1_826 * dayMs))).toBe('validation_error');
  expect(await issue(new Date(now().getTime() + 1_824 * dayMs))).toBe('none');
});

test('the ledger of all this is clean, and every change left its events', async () => {
  expect((await bench.verify()).faults).toEqual([]);
});
