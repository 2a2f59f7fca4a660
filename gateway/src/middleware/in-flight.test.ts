import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ids, principal, startTestGateway, type TestGateway } from '../testing.ts';
import { requestText, Wire } from '../testing-wire.ts';

const requestsInFlightMax = 5;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ edge: { requestsInFlightMax } });
});
afterAll(() => gateway.stop());

const programs = '/v2/loyalty/programs';

test('more requests than may be are a 503 that says when to come back; health is told all the same', async () => {
  let release: (answer: { programs: []; total: number }) => void = () => undefined;
  const held = new Promise<{ programs: []; total: number }>((resolve) => {
    release = resolve;
  });
  let arrived = 0;
  gateway.answer({
    listPrograms: () => {
      arrived += 1;
      return held;
    },
  });
  const waiting = Array.from({ length: requestsInFlightMax }, () => gateway.send('GET', programs, { token: 'user' }));
  while (arrived < requestsInFlightMax) await gateway.send('GET', '/healthz');

  const shed = await gateway.send('GET', programs, { token: 'user', headers: { origin: 'https://a.example' } });
  expect([shed.status, shed.body.code, shed.headers['retry-after'], shed.headers['cache-control']]).toEqual([
    503,
    'unavailable',
    '1',
    'no-store',
  ]);
  for (const path of ['/healthz', '/readyz', '/status']) expect((await gateway.send('GET', path)).status).toBe(200);

  release({ programs: [], total: 0 });
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(requestsInFlightMax).fill(200));
  expect((await gateway.send('GET', programs, { token: 'user' })).status).toBe(200);
  gateway.reset();
});

const half = requestText(`POST /v2/giftcards/programs/${ids.program}/cards`, {
  Authorization: 'Bearer user',
  'Content-Type': 'application/json',
  'Content-Length': '100',
});

test('one client that sends its bodies slowly takes a part of the places, and leaves the others to others', async () => {
  const open = Array.from({ length: requestsInFlightMax }, () => new Wire(gateway.port, '127.0.2.1').say(half));
  const heard = await Promise.race(open.map((wire) => wire.hear(/\r\n\r\n/)));
  expect(heard.text).toMatch(/503 [\s\S]*Retry-After: 1\r\n/i);
  expect((await gateway.send('GET', programs, { token: 'user' })).status).toBe(200);
  const whole = gateway.send('POST', '/v2/token', {
    body: { email: 'a@example.com', password: 'x' },
    localAddress: '127.0.2.1',
  });
  expect((await whole).status).not.toBe(429);
  for (const { socket } of open) socket.destroy();
});

test('clients that left while they were being looked up leave their places too', async () => {
  let asked = 0;
  let goOn = () => undefined as undefined;
  const held = new Promise<void>((resolve) => {
    goOn = () => void resolve() as undefined;
  });
  gateway.answer({
    authenticate: async () => {
      asked += 1;
      await held;
      return principal({});
    },
  });
  const unknown = (i: number) => half.replace('Bearer user', `Bearer left${i}`);
  const open = Array.from({ length: requestsInFlightMax - 1 }, (_, i) =>
    new Wire(gateway.port, `127.0.3.${i + 1}`).say(unknown(i)),
  );
  while (asked < requestsInFlightMax - 1) await gateway.send('GET', '/healthz');
  for (const { socket } of open) socket.destroy();
  await gateway.send('GET', '/healthz');
  goOn();
  gateway.reset();
  let all: number[] = [];
  do {
    const sent = Array.from({ length: requestsInFlightMax }, () => gateway.send('GET', programs, { token: 'user' }));
    all = (await Promise.all(sent)).map(({ status }) => status);
  } while (all.some((status) => status !== 200));
});

test('clients that went away in the middle leave their places to others', async () => {
  const open = Array.from({ length: requestsInFlightMax }, (_, i) =>
    new Wire(gateway.port, `127.0.1.${i + 1}`).say(half),
  );
  for (;;) if ((await gateway.send('GET', programs, { token: 'user' })).status === 503) break;
  for (const { socket } of open) socket.destroy();
  for (;;) if ((await gateway.send('GET', programs, { token: 'user' })).status === 200) break;
});
