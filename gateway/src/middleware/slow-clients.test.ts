import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ids, startTestGateway, type TestGateway } from '../testing.ts';
import { fakeAnswers } from '../testing-answers.ts';
import { exchange, requestText, statusesIn, Wire } from '../testing-wire.ts';

const headersMsMax = 300;
const requestMsMax = 600;
/** How long the machine may dawdle over it. */
const slackMs = 5_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ edge: { headersMsMax, requestMsMax, answerMsMax: 400, connectionsMax: 20 } });
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const redeem = `POST /v2/giftcards/programs/${ids.program}/cards/${ids.card}/redeem`;
const user = { Authorization: 'Bearer user', 'Content-Type': 'application/json' };
const timedOut = /408 [\s\S]*application\/problem\+json[\s\S]*"code":"request_timeout"/;

/** Says a text byte by byte, for as long as somebody listens. */
function dribble(wire: Wire, text: string): void {
  let said = 0;
  const timer = setInterval(() => {
    if (wire.socket.destroyed) clearInterval(timer);
    else wire.say(text[said++ % text.length] ?? ' ');
  }, 20);
  wire.socket.once('close', () => clearInterval(timer));
}

test('headers that come byte by byte are cut off with a 408', async () => {
  const wire = new Wire(gateway.port).say('GET /status HTTP/1.1\r\nHost: a\r\n');
  dribble(wire, 'X-Slow: loris\r\n');
  const answer = await wire.hear();
  expect(answer.text).toMatch(timedOut);
  expect([statusesIn(answer), answer.closed]).toEqual([[408], true]);
  expect(answer.durationMs).toBeGreaterThanOrEqual(headersMsMax);
  expect(answer.durationMs).toBeLessThan(headersMsMax + slackMs);
});

test('so is a body', async () => {
  const wire = new Wire(gateway.port).say(requestText(redeem, { ...user, 'Content-Length': '1000' }));
  dribble(wire, ' ');
  const answer = await wire.hear();
  expect(answer.text).toMatch(timedOut);
  expect(answer.durationMs).toBeGreaterThanOrEqual(requestMsMax);
  expect(gateway.calls.filter(({ rpc }) => rpc === 'redeemCard')).toEqual([]);
});

test('a body that stops short of its length is a 408 too, and a client that leaves in the middle is no failure', async () => {
  const half = requestText(redeem, { ...user, 'Content-Length': '12' }, '{"amou');
  expect((await exchange(gateway.port, half)).text).toMatch(timedOut);
  const left = new Wire(gateway.port).say(half);
  await new Promise((resolve) => left.socket.once('connect', resolve));
  left.socket.end();
  await new Promise((resolve) => left.socket.once('close', resolve));
  expect(gateway.logs.filter((line) => line.includes('unexpected failure'))).toEqual([]);
});

test('a body that nobody reads is cut off after its refusal, without a second answer', async () => {
  const wire = new Wire(gateway.port).say(
    requestText(redeem, { ...user, Authorization: 'Bearer unknown', 'Content-Length': '1000' }),
  );
  dribble(wire, ' ');
  const answer = await wire.hear();
  expect([statusesIn(answer), answer.closed]).toEqual([[401], true]);
});

test('a slow client keeps nobody else waiting', async () => {
  const slow = Array.from({ length: 10 }, () => new Wire(gateway.port).say('GET /status HTTP/1.1\r\nX: '));
  expect((await gateway.send('GET', '/status')).status).toBe(200);
  for (const wire of slow) wire.socket.destroy();
});

test('more connections than may be are not accepted, until others have gone', async () => {
  const open = Array.from({ length: 20 }, () => new Wire(gateway.port));
  await Promise.all(open.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
  await expect(gateway.send('GET', '/status')).rejects.toThrow(/hang up|ECONNRESET/);
  for (const { socket } of open) socket.destroy();
  for (;;) {
    const reply = await gateway.send('GET', '/status').catch(() => undefined);
    if (reply?.status === 200) break;
  }
});

test('a move does not begin after its 503', async () => {
  let goOn = () => undefined as undefined;
  const held = new Promise<void>((resolve) => {
    goOn = () => void resolve() as undefined;
  });
  const usual = fakeAnswers().resolveProgram;
  const program = 'b0000000000000000000009f';
  gateway.answer({
    resolveProgram: async (request, context) => {
      await held;
      return usual(request, context);
    },
  });
  const cards = `/v2/giftcards/programs/${program}`;
  const replies = await Promise.all([
    gateway.send('POST', `${cards}/cards/${ids.card}/redeem`, { token: 'user', body: { amount: 5 } }),
    gateway.send('POST', `${cards}/balance-check`, {
      body: { cardNumber: '6034930000000017', securityCode: '123456' },
    }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([503, 503]);
  goOn();
  const list = () => gateway.send('GET', `${cards}/cards`, { token: 'user' });
  expect((await list()).status).toBe(200);
  await list();
  expect(gateway.calls.filter(({ rpc }) => rpc === 'redeemCard' || rpc === 'checkBalance')).toEqual([]);
  expect(gateway.logs.filter((line) => line.includes('unexpected failure'))).toEqual([]);
});

test('a service that hangs is a 503 within the bound, for reads and moves, and on each of several calls in a row', async () => {
  const hung = () => new Promise<never>(() => undefined);
  const get = () => gateway.send('GET', `/v2/loyalty/programs/${ids.program}`, { token: 'user' });
  gateway.answer({ redeemCard: hung, getProgram: hung, resolveProgram: hung });
  const startedAt = performance.now();
  const replies = await Promise.all([
    get(),
    gateway.send('POST', redeem.slice(5), { token: 'user', body: { amount: 5 } }),
    gateway.send('GET', `/v2/giftcards/programs/${ids.program}/cards`, { token: 'user' }),
  ]);
  for (const reply of replies) {
    expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  }
  expect(performance.now() - startedAt).toBeLessThan(400 + slackMs);
  gateway.reset();
  expect((await get()).status).toBe(200);
  expect(gateway.logs.filter((line) => line.includes('unexpected failure'))).toEqual([]);
});
