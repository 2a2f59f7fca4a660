import { Agent, request } from 'node:http';
import { expect, test } from '@jest/globals';
import { ids, startTestGateway } from './testing.ts';
import { fakeCard } from './testing-answers.ts';
import { Wire } from './testing-wire.ts';

/** A promise and what fulfils it. */
function signal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

const card = `/v2/giftcards/programs/${ids.program}/cards/${ids.card}`;

test('a stop lets requests in flight finish, and takes no more', async () => {
  const gateway = await startTestGateway();
  const [arrived, release] = [signal(), signal()];
  gateway.answer({
    getCard: async () => {
      arrived.give();
      await release.given;
      return { card: fakeCard, transactions: [] };
    },
  });
  const inFlight = gateway.send('GET', `${card}?include_transactions=true`, { token: 'user' });
  await arrived.given;
  const stopped = gateway.stop();
  await expect(gateway.send('GET', '/status')).rejects.toThrow(/ECONNREFUSED/);
  release.give();
  expect((await inFlight).status).toBe(200);
  await stopped;
});

test('a stop does not wait for connections that are kept alive for nothing', async () => {
  const gateway = await startTestGateway();
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: gateway.port, path: '/status', agent };
    request(options, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
  const startedAt = Date.now();
  await gateway.stop();
  expect(Date.now() - startedAt).toBeLessThan(12_000);
  agent.destroy();
});

test('a stop does not wait for connections on which nothing was ever said', async () => {
  const gateway = await startTestGateway();
  const wire = new Wire(gateway.port);
  await new Promise((resolve) => wire.socket.once('connect', resolve));
  const startedAt = Date.now();
  await gateway.stop();
  expect((await wire.hear()).closed).toBe(true);
  expect(Date.now() - startedAt).toBeLessThan(12_000);
});

test('while it drains, a gateway is not ready, answers still, and asks clients to leave', async () => {
  const gateway = await startTestGateway({ edge: { stopDrainMs: 1_500 } });
  const before = await gateway.send('GET', '/readyz', { headers: { connection: 'keep-alive' } });
  expect([before.status, before.headers.connection]).toEqual([200, 'keep-alive']);
  const stopped = gateway.stop();
  const during = await gateway.send('GET', '/readyz', { headers: { connection: 'keep-alive' } });
  expect([during.status, during.text, during.headers.connection]).toEqual([503, 'not ready', 'close']);
  const answer = await gateway.send('GET', card, { token: 'user', headers: { connection: 'keep-alive' } });
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
  await stopped;
  await expect(gateway.send('GET', '/status')).rejects.toThrow(/ECONNREFUSED/);
});

/** Sends a request and goes away when the service has it. */
async function abandon(port: number, method: string, path: string, body: string, arrived: Promise<void>) {
  const gone = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { authorization: 'Bearer user', 'content-type': 'application/json', 'content-length': body.length },
  });
  gone.on('error', () => undefined).end(body);
  await arrived;
  gone.destroy();
}

test('a client that goes away cancels a read, but never a money move', async () => {
  const gateway = await startTestGateway();
  const [reading, moving, moved, release] = [signal(), signal(), signal(), signal()];
  gateway.answer({
    getCard: async () => {
      reading.give();
      await release.given;
      return { card: fakeCard, transactions: [] };
    },
    redeemCard: async () => {
      moving.give();
      await release.given;
      moved.give();
      return {
        transactionId: ids.transaction,
        cardId: ids.card,
        amountMinor: 1n,
        balanceMinor: 0n,
        currency: 'GBP',
        status: 'active',
        replayed: false,
      };
    },
  });
  await abandon(gateway.port, 'GET', `${card}?include_transactions=true`, '', reading.given);
  await abandon(gateway.port, 'POST', `${card}/redeem`, '{"amount":"0.01"}', moving.given);
  release.give();
  await moved.given;
  // What nobody waits for is no failure.
  expect(gateway.logs.filter((line) => line.includes('unexpected failure'))).toEqual([]);
  await gateway.stop();
});

test('health and readiness are told without a token', async () => {
  const gateway = await startTestGateway();
  expect([(await gateway.send('GET', '/healthz')).text, (await gateway.send('GET', '/readyz')).text]).toEqual([
    'ok',
    'ready',
  ]);
  expect((await gateway.send('GET', '/status')).body).toEqual({ status: 'ok', version: '0.0.0-test' });
  await gateway.stop();
});
