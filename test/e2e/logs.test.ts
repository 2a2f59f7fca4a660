import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiAnswer, until } from '../support/api.ts';
import { sharedApi, sharedDemo } from '../support/shared-stack.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const demo = sharedDemo();
const api = sharedApi();
const dataDir = String(process.env.TEST_DATA_DIR);
const sharedSecret = `hush-${randomBytes(12).toString('hex')}`;
/** Everything that this run used and that no log may hold. */
const secrets = new Map<string, string>();
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start(sharedSecret);
});
afterAll(() => receiver.stop());

/** Every line of every process so far. */
function logs(): string {
  const directory = join(dataDir, 'logs');
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n');
}

function keep(what: string, secret: unknown): string {
  const text = String(secret);
  expect(text.length).toBeGreaterThan(5);
  secrets.set(what, text);
  return text;
}

async function ok(answer: Promise<ApiAnswer>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: status < 300 ? status : 200 });
  return body;
}

interface LogLine {
  readonly service: string;
  readonly level: string;
  readonly requestId?: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The lines about one request. */
function linesOf(requestId: string): LogLine[] {
  const lines = logs().split('\n');
  return lines.filter((line) => line.includes(`"${requestId}"`)).map((line) => JSON.parse(line) as LogLine);
}

async function accessLine(requestId: string): Promise<LogLine> {
  const find = () => linesOf(requestId).find(({ msg }) => msg.startsWith('answered'));
  await until(`${requestId} is logged`, () => find() !== undefined);
  return find()!;
}

async function logInAndMakeKeys(): Promise<string> {
  const wrong = keep('a wrong password', randomBytes(12).toString('base64url'));
  const password = keep('the password', demo.password);
  await api.as(undefined).post('/v2/token', { email: demo.email, password: wrong });
  const pair = await ok(api.as(undefined).post('/v2/token', { email: demo.email, password }));
  const user = api.as(keep('the access token', pair.access_token));
  const refresh_token = keep('the refresh token', pair.refresh_token);
  const next = await ok(api.as(undefined).post('/v2/token', { grant_type: 'refresh_token', refresh_token }));
  keep('the next refresh token', next.refresh_token);
  const appKey = await ok(user.post('/v2/appkeys', { name: 'logs' }));
  await api.as(keep('the app key', appKey.key)).get('/v2/token');
  // A second use of a refresh token ends its session.
  await api.as(undefined).post('/v2/token', { grant_type: 'refresh_token', refresh_token });
  const key = await ok(api.post('/v2/keys', { name: 'logs', scopes: ['giftcards:read'] }));
  const secret = keep('the API key', key.key);
  await api.as(secret).get('/v2/loyalty/programs');
  const rotated = await ok(api.post(`/v2/keys/${key.id}/rotate`, { graceHours: 0 }));
  keep('the rotated API key', rotated.key);
  return secret;
}

async function useCards(): Promise<void> {
  const path = `/v2/giftcards/programs/${demo.programId}/cards`;
  const [source, destination] = [
    await ok(api.post(path, { initialValue: 20 })),
    await ok(api.post(path, { initialValue: 5 })),
  ];
  for (const [name, card] of Object.entries({ source, destination })) {
    keep(`the number of the ${name}`, card.cardNumber);
    keep(`the security code of the ${name}`, card.securityCode);
    await ok(api.post(`${path}/${card.id}/activate`));
  }
  const move = { destinationCardNumber: destination.cardNumber, amount: '1.00' };
  const wrongCode = source.securityCode === '918273' ? '918274' : '918273';
  await api.post(`${path}/${source.id}/transfer`, { ...move, securityCode: wrongCode });
  await ok(api.post(`${path}/${source.id}/transfer`, { ...move, securityCode: source.securityCode }));
  await api.post(`${path}/${source.id}/transfer`, { ...move, amount: 'x', securityCode: source.securityCode });
  await api.send('POST', `${path}/${source.id}/transfer`, `{"securityCode": "${source.securityCode}", `);
  await ok(api.get(`${path}/lookup?cardNumber=${source.cardNumber}`));
  await api.get(`${path}/nothing/${source.cardNumber}?securityCode=${source.securityCode}`);
  const check = { cardNumber: source.cardNumber, securityCode: source.securityCode };
  await api.as(undefined).post('/v2/giftcards/customer/balance-check', check);
  const hook = await ok(
    api.post('/v2/webhooks', { url: receiver.url, sharedSecret: keep('the shared secret', sharedSecret) }),
  );
  await ok(api.post(`/v2/webhooks/${hook.id}/enable`));
  await ok(api.post(`${path}/${source.id}/reload`, { amount: '2.00' }));
  await until('the endpoint hears of it', () => receiver.events.some(({ type }) => type === 'giftcard.reloaded'));
  await ok(api.send('DELETE', `/v2/webhooks/${hook.id}`));
}

test('no secret, credential or card number is in any log of a whole journey', async () => {
  await logInAndMakeKeys();
  await useCards();
  for (const [name, value] of Object.entries(stackSecrets())) keep(name, value);
  keep("the demo's app key", demo.accessToken);
  const requestId = `logs-${randomBytes(6).toString('hex')}`;
  await api.get('/v2/token', { 'x-request-id': requestId });
  await accessLine(requestId);
  const text = logs();
  expect(text.length).toBeGreaterThan(1_000);
  const found = [...secrets].filter(([, secret]) => isIn(text, secret)).map(([what]) => what);
  expect(found).toEqual([]);
});

/** Digits are looked for as a number of their own: six of them may be part of any id. */
function isIn(text: string, secret: string): boolean {
  return /^\d+$/.test(secret)
    ? new RegExp(`(?<![0-9A-Za-z.])${secret}(?![0-9A-Za-z])`).test(text)
    : text.includes(secret);
}

function stackSecrets(): Record<string, string> {
  return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
}

test('each request that changes something is told of, under its id, without its address', async () => {
  const requestId = `logs-${randomBytes(6).toString('hex')}`;
  const path = `/v2/giftcards/programs/${demo.programId}/cards`;
  const card = await ok(api.post(path, { initialValue: 1 }, { 'x-request-id': requestId }));
  const line = await accessLine(requestId);
  expect(line).toMatchObject({
    ...{ service: 'gateway', level: 'info', operationId: 'issueGiftCard', method: 'POST', status: 201 },
    ...{ route: '/v2/giftcards/programs/:programId/cards', merchantId: demo.merchantId, kind: 'app_key' },
    network: '127.0.0.0/24',
  });
  expect(JSON.stringify(line)).not.toContain(String(card.id));
  expect(line.ms).toEqual(expect.any(Number));
});

test('a refusal is told of by the gateway and by the service that refused, a read only for debugging', async () => {
  const path = `/v2/giftcards/programs/${demo.programId}/cards/0123456789abcdef01234567`;
  const refused = `logs-${randomBytes(6).toString('hex')}`;
  await api.post(`${path}/redeem`, { amount: 1 }, { 'x-request-id': refused });
  expect(await accessLine(refused)).toMatchObject({ level: 'info', status: 404, operationId: 'redeemGiftCard' });
  const told = () => linesOf(refused).find(({ service }) => service === 'giftcards');
  await until('giftcards has said it', () => told() !== undefined);
  expect(told()).toMatchObject({ level: 'debug', code: 'card_not_found', merchantId: demo.merchantId });
  const read = `logs-${randomBytes(6).toString('hex')}`;
  await api.get('/v2/token', { 'x-request-id': read });
  expect(await accessLine(read)).toMatchObject({ level: 'debug', status: 200 });
  const lost = `logs-${randomBytes(6).toString('hex')}`;
  await api.get('/v2/nowhere', { 'x-request-id': lost });
  expect(await accessLine(lost)).toMatchObject({ level: 'info', status: 404, method: 'GET' });
});
