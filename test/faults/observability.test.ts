import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { startStack } from '#stack/stack.ts';
import type { Stack } from '#stack/stack-options.ts';
import { Api, until } from '../support/api.ts';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { demoOf } from '../support/stack-demo.ts';
import { type LoadCard, TransferLoad } from './transfer-load.ts';

jest.setTimeout(180_000);

let dataDir: string;
let stack: Stack;
let collector: OtlpReceiver;
let identityDatabase: Connection;
let api: Api;
let path: string;
let programId: string;
let merchantId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tallycard-traces-'));
  collector = await OtlpReceiver.start();
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' };
  // The trace of a client is gone on with only where it comes from a trusted proxy.
  const edge = { TRUST_PROXY: '127.0.0.1' };
  stack = await startStack({ dataDir, env: { LOG_LEVEL: 'warn', ...tracing, ...edge } });
  const demo = await demoOf(stack);
  ({ programId, merchantId } = demo);
  api = new Api(stack.baseUrl, demo.accessToken);
  path = `/v2/giftcards/programs/${programId}/cards`;
  const env = stack.serviceEnv('identity');
  identityDatabase = await mongoose
    .createConnection(String(env.MONGODB_URI), { dbName: env.MONGODB_DATABASE, autoIndex: false })
    .asPromise();
});
afterAll(async () => {
  await identityDatabase?.close();
  await stack?.stop();
  await collector?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function activeCard(): Promise<LoadCard> {
  const { body } = await api.post(path, { initialValue: 5000 });
  expect((await api.post(`${path}/${body.id}/activate`)).status).toBe(200);
  return { id: String(body.id), number: String(body.cardNumber), code: String(body.securityCode) };
}

test('one trace goes from the client through gateway, giftcards, MongoDB and Kafka to its consumers', async () => {
  const [source, destination] = [await activeCard(), await activeCard()];
  // Events that are processed together share the spans of the work that is done for them: this one has to come alone.
  const before = { action: 'gift_card_activated', resourceId: { $in: [source.id, destination.id] } };
  const told = async () => (await identityDatabase.collection('audit_logs').countDocuments(before)) === 2;
  await until('what came before has been told of', told);
  const traceId = randomBytes(16).toString('hex');
  const body = { securityCode: source.code, destinationCardNumber: destination.number, amount: '1.00' };
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  expect((await api.post(`${path}/${source.id}/transfer`, body, { traceparent })).status).toBe(200);
  const spans = () => collector.spans.filter((span) => span.traceId === traceId);
  const find = (service: string, name: RegExp) =>
    spans().find((span) => span.service === `tallycard-${service}` && name.test(span.name));
  const trail = () => ({
    edge: find('gateway', /^POST \/v2\/giftcards\/programs\/:programId\/cards\/:cardId\/transfer$/),
    client: find('gateway', /GiftCardsService\/TransferBalance$/),
    server: find('giftcards', /GiftCardsService\/TransferBalance$/),
    written: find('giftcards', /^update cards$/),
    committed: find('giftcards', /^commitTransaction$/),
    sent: find('giftcards', /^send events/),
    delivering: find('webhooks', /^process events/),
    auditing: find('identity', /^process events/),
    audited: find('identity', /^insert audit_logs$/),
  });
  const missing = () => Object.entries(trail()).filter(([, span]) => span === undefined);
  await until('the whole trace has arrived', () => missing().length === 0);

  const { edge, client, server, sent, delivering, auditing, audited } = trail();
  expect(edge?.parentSpanId).toBe('00f067aa0ba902b7');
  expect(client?.parentSpanId).toBe(edge?.spanId);
  expect(server?.parentSpanId).toBe(client?.spanId);
  expect(sent?.parentSpanId).toBe(server?.spanId);
  expect([delivering?.parentSpanId, auditing?.parentSpanId]).toEqual([sent?.spanId, sent?.spanId]);
  expect(audited?.parentSpanId).toBe(auditing?.spanId);
  expect(edge?.attributes.get('http.response.status_code')).toBe('200');
  expect(edge?.attributes.get('http.route')).toBe('/v2/giftcards/programs/:programId/cards/:cardId/transfer');
});

test('no span holds a secret, a card number or a credential', async () => {
  const card = await activeCard();
  await api.get(`${path}/lookup?cardNumber=${card.number}`);
  await api
    .as(undefined)
    .post('/v2/giftcards/customer/balance-check', { cardNumber: card.number, securityCode: card.code });
  const seen = (span: ReceivedSpan) =>
    span.name.endsWith('GiftCardsService/CheckBalance') && span.service.endsWith('giftcards');
  await until('the check has been told of', () => collector.spans.some(seen));
  const all = Buffer.concat(collector.bodies).toString('latin1');
  const demo = await demoOf(stack);
  expect([card.number, demo.accessToken, demo.password].filter((secret) => all.includes(secret))).toEqual([]);
  const values = collector.spans.flatMap(({ attributes }) => [...attributes.values()]);
  expect(values).not.toContain(card.code);
});

test('every transfer has one audit entry, though identity is killed again and again', async () => {
  const cards = await Promise.all(Array.from({ length: 10 }, activeCard));
  const load = new TransferLoad(api, programId, cards);
  for (let kills = 1; kills <= 2; kills += 1) {
    await until('the load goes on', () => load.acknowledged.size >= kills * 40);
    const { pid } = stack.process('identity');
    stack.process('identity').kill('SIGKILL');
    await until('identity is another process', () => ![pid, undefined].includes(stack.process('identity').pid));
    await stack.process('identity').waitReady();
  }
  await load.stop();
  const wanted = [...load.acknowledged.values()].sort();
  const entries = identityDatabase.collection('audit_logs');
  const transferIds = async () => {
    const rows = await entries.find({ 'details.transferId': { $in: wanted } }).toArray();
    return rows.map((row) => String(row.details.transferId)).sort();
  };
  await until('every transfer has an entry', async () => new Set(await transferIds()).size === wanted.length, 90_000);
  expect(await transferIds()).toEqual(wanted);
});

test('a transfer shows in the log with its actor and address, and only to its merchant', async () => {
  const cards = [await activeCard(), await activeCard()];
  const requestId = `audit-${randomBytes(6).toString('hex')}`;
  const body = { securityCode: cards[0]!.code, destinationCardNumber: cards[1]!.number, amount: '2.00' };
  const headers = { 'x-request-id': requestId, 'user-agent': 'till/7' };
  const { body: transfer } = await api.post(`${path}/${cards[0]!.id}/transfer`, body, headers);
  const query = `/v2/giftcards/audit-logs?action=gift_card_transferred&from=${new Date(Date.now() - 60_000).toISOString()}`;
  const entryFor = async (as: Api) => {
    const { items = [] } = (await as.get(query)).body as { items?: Record<string, unknown>[] };
    return items.find((item) => item.requestId === requestId);
  };
  await until('the entry is there', async () => (await entryFor(api)) !== undefined);
  expect(await entryFor(api)).toMatchObject({
    ...{ merchantId, resourceType: 'gift_card', resourceId: cards[0]!.id, actorType: 'app_key' },
    ...{ ipAddress: '127.0.0.1', userAgent: 'till/7', details: { amount: '2.00', transferId: transfer.transferId } },
  });
  const { rival } = await demoOf(stack);
  expect(await entryFor(api.as(rival.accessToken))).toBeUndefined();
  expect((await api.as(rival.accessToken).get(`${query}&merchantId=${merchantId}`)).status).toBe(404);
});
