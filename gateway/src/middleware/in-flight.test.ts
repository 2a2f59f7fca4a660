import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ids, startTestGateway, type TestGateway } from '../testing.ts';
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

test('clients that went away in the middle leave their places to others', async () => {
  const half = requestText(`POST /v2/giftcards/programs/${ids.program}/cards`, {
    Authorization: 'Bearer user',
    'Content-Type': 'application/json',
    'Content-Length': '100',
  });
  const open = Array.from({ length: requestsInFlightMax }, () => new Wire(gateway.port).say(half));
  for (;;) if ((await gateway.send('GET', programs, { token: 'user' })).status === 503) break;
  for (const { socket } of open) socket.destroy();
  for (;;) if ((await gateway.send('GET', programs, { token: 'user' })).status === 200) break;
});
