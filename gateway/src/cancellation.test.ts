import { request } from 'node:http';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { GiftCardsServiceService } from '#proto/giftcards/v1/giftcards.ts';
import { IdentityServiceService } from '#proto/identity/v1/identity.ts';
import { LoyaltyServiceService } from '#proto/loyalty/v1/loyalty.ts';
import { ids, principal, startTestGateway, type TestGateway } from './testing.ts';
import { fakeAnswers } from './testing-answers.ts';

type Call = ServerUnaryCall<unknown, unknown>;
type Handler = (call: Call, answer: sendUnaryData<unknown>) => void;

/** All services in one, which sees what becomes of a call. */
let server: Server;
let gateway: TestGateway;
let handlers: Record<string, Handler>;

beforeEach(async () => {
  const usual = fakeAnswers() as unknown as Record<string, (request: unknown, context: unknown) => Promise<unknown>>;
  handlers = { authenticate: (_call, answer) => answer(null, principal({})) };
  server = new Server();
  for (const definition of [IdentityServiceService, LoyaltyServiceService, GiftCardsServiceService]) {
    const implementation = Object.keys(definition).map((rpc): [string, Handler] => [
      rpc,
      (call, answer) => {
        const own = handlers[rpc];
        if (own !== undefined) own(call, answer);
        else void usual[rpc]?.(call.request, {}).then((body) => answer(null, body));
      },
    ]);
    server.addService(definition, Object.fromEntries(implementation));
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const address = `127.0.0.1:${port}`;
  const addresses = {
    identity: address,
    loyalty: address,
    templates: address,
    giftcards: address,
    webhooks: address,
  };
  gateway = await startTestGateway({ addresses });
});
afterEach(async () => {
  await gateway.stop();
  server.forceShutdown();
});

/** Sends a request, and goes away as soon as the service has it. @returns the call. */
async function abandon(rpc: string, method: string, path: string, body = ''): Promise<[Call, sendUnaryData<unknown>]> {
  const arrived = new Promise<[Call, sendUnaryData<unknown>]>((resolve) => {
    handlers[rpc] = (call, answer) => resolve([call, answer]);
  });
  const headers = { authorization: 'Bearer user', 'content-type': 'application/json', 'content-length': body.length };
  const gone = request({ host: '127.0.0.1', port: gateway.port, method, path, headers });
  gone.on('error', () => undefined).end(body);
  const call = await arrived;
  gone.destroy();
  return call;
}

test('the call of a client that goes away in a read is cancelled at the service', async () => {
  const [call] = await abandon('listPrograms', 'GET', '/v2/loyalty/programs');
  await new Promise<void>((resolve) => (call.cancelled ? resolve() : call.once('cancelled', resolve)));
  expect(gateway.logs.filter((line) => line.includes('unexpected failure'))).toEqual([]);
});

test('that of a money move is let finish', async () => {
  const path = `/v2/giftcards/programs/${ids.program}/cards/${ids.card}/redeem`;
  const [call, answer] = await abandon('redeemCard', 'POST', path, '{"amount":5}');
  const [read] = await abandon('listPrograms', 'GET', '/v2/loyalty/programs');
  // The read came later; once word of its end is here, word of the move's would be too.
  await new Promise<void>((resolve) => (read.cancelled ? resolve() : read.once('cancelled', resolve)));
  expect(call.cancelled).toBe(false);
  answer(null, {
    transactionId: ids.transaction,
    cardId: ids.card,
    amountMinor: 500n,
    balanceMinor: 0n,
    currency: 'GBP',
    status: 'depleted',
    replayed: false,
  });
  expect((await gateway.send('GET', '/status')).status).toBe(200);
});

test('every call carries the deadline of its answer', async () => {
  const deadlines: number[] = [];
  handlers.listPrograms = (call, answer) => {
    deadlines.push(Number(call.getDeadline()) - Date.now());
    answer(null, { programs: [], total: 0 });
  };
  expect((await gateway.send('GET', '/v2/loyalty/programs', { token: 'user' })).status).toBe(200);
  expect(deadlines.every((ms) => ms > 0 && ms <= 20_000)).toBe(true);
  expect(deadlines).toHaveLength(1);
});
