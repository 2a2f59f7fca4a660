// Transfers between random cards for DURATION_S seconds by CLIENTS clients, one request each at a time.
// STRICT=true: the first answer must be a success, whatever happens to the pods meanwhile, or say that another client has
// the card, and that of one request in a hundred at most. Otherwise a request is
// repeated with its idempotency key until it is answered. Afterwards every card must hold what the acknowledged transfers
// left on it, to the cent: none was lost, none executed twice. Prints what was acknowledged.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectStatus, makeCards, required, send } from './client.mjs';

const programId = required('PROGRAM_ID');
const path = `/v2/giftcards/programs/${programId}/cards`;
const isStrict = process.env.STRICT === 'true';
const clients = Number(process.env.CLIENTS ?? 8);
const endAt = () => startedAt + Number(required('DURATION_S')) * 1000;
const cardCount = 64;
const initialCents = 500_000;
const repeatMsMax = 90_000;
const transfersMax = 200_000;

const repeatedShareMax = 0.01;

const result = { acknowledged: 0, replayed: 0, repeats: 0, failures: [], p50Ms: 0, p99Ms: 0, maxMs: 0 };
const durations = [];
const cards = await makeCards(programId, cardCount, (initialCents / 100).toFixed(2));
const movedCents = new Map(cards.map(({ id }) => [id, 0]));
const startedAt = Date.now();

async function transfer() {
  const first = Math.floor(Math.random() * cards.length);
  const second = (first + 1 + Math.floor(Math.random() * (cards.length - 1))) % cards.length;
  const source = cards[first];
  const body = { securityCode: source.code, destinationCardNumber: cards[second].number, amount: '0.01' };
  const headers = { 'idempotency-key': randomUUID() };
  const beganAt = Date.now();
  for (;;) {
    const answer = await send('POST', `${path}/${source.id}/transfer`, body, headers).catch((error) => ({
      status: 0,
      body: String(error.cause ?? error),
    }));
    if (answer.status === 200) {
      result.acknowledged += 1;
      if (answer.headers.get('idempotency-replayed') === 'true') result.replayed += 1;
      durations.push(Date.now() - beganAt);
      movedCents.set(source.id, movedCents.get(source.id) - 1);
      movedCents.set(cards[second].id, movedCents.get(cards[second].id) + 1);
      return;
    }
    // Another client has the card: what a busy card answers, and no failure.
    if (answer.status !== 409) {
      const told = `${answer.status} ${JSON.stringify(answer.body)}`;
      if (isStrict || Date.now() - beganAt > repeatMsMax) result.failures.push({ at: new Date().toISOString(), told });
      if (isStrict || Date.now() - beganAt > repeatMsMax) return;
    }
    result.repeats += 1;
    await sleep(50);
  }
}

async function client() {
  while (Date.now() < endAt() && durations.length < transfersMax) await transfer();
}

/** Cards that do not hold what was acknowledged. */
async function wrongBalances() {
  const wrong = [];
  for (const { id } of cards) {
    const { balance } = await expectStatus(200, 'GET', `${path}/${id}`);
    const expected = ((initialCents + movedCents.get(id)) / 100).toFixed(2);
    if (balance !== expected) wrong.push({ id, balance, expected });
  }
  return wrong;
}

console.log('load begins');
await Promise.all(Array.from({ length: clients }, client));
const perSecond = Math.round((durations.length * 1000) / (Date.now() - startedAt));
const wrong = await wrongBalances();
durations.sort((a, b) => a - b);
result.p50Ms = durations[Math.floor(durations.length * 0.5)] ?? 0;
result.p99Ms = durations[Math.floor(durations.length * 0.99)] ?? 0;
result.maxMs = durations.at(-1) ?? 0;
const count = result.failures.length;
result.failures = result.failures.slice(0, 20);
console.log(JSON.stringify({ ...result, failed: count, perSecond, wrong }));
const isBusy = isStrict && result.repeats > result.acknowledged * repeatedShareMax;
process.exit(count === 0 && wrong.length === 0 && result.acknowledged > 0 && !isBusy ? 0 : 1);
