import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ids, startTestGateway, type TestGateway } from '../../testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const path = '/v2/giftcards/audit-logs';
const list = (query: string) => gateway.send('GET', `${path}?${query}`, { token: 'user' });
const asked = () => gateway.calls.find(({ rpc }) => rpc === 'listAuditLogs')?.request;

test('every filter reaches the service, and the repeatable ones as lists', async () => {
  const names = 'subjectName=Bo&actorName=Ann&merchantName=Corner';
  const words = 'action=login_failed&action=key_frozen&resourceType=user';
  const period = 'from=2026-11-01T00:00:00Z&to=2026-11-30T00:00:00Z';
  const reply = await list(
    `merchantId=${ids.merchant}&subjectId=s&actorId=a&${names}&${words}&${period}&page=3&limit=20`,
  );
  expect(reply.status).toBe(200);
  expect(asked()).toEqual({
    ...{ subjectId: 's', actorId: 'a', subjectName: 'Bo', actorName: 'Ann', merchantName: 'Corner' },
    ...{ actions: ['login_failed', 'key_frozen'], resourceTypes: ['user'] },
    ...{ from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-30T00:00:00Z') },
    page: { offset: 40, limit: 20 },
  });
});

test('pages are counted', async () => {
  gateway.answer({ listAuditLogs: async () => ({ items: [], total: 101n }) });
  expect((await list('')).body).toEqual({ items: [], total: 101, page: 1, pages: 3, limit: 50 });
  expect(asked()).toMatchObject({ actions: [], resourceTypes: [], page: { offset: 0, limit: 50 } });
});

test("another merchant's log is not there", async () => {
  const reply = await list(`merchantId=${ids.rival}`);
  expect([reply.status, reply.body.code]).toEqual([404, 'merchant_not_found']);
  expect(asked()).toBeUndefined();
});

test.each([
  ['page=0', ['query', 'page']],
  ['limit=201', ['query', 'limit']],
  ['limit=0', ['query', 'limit']],
  ['from=yesterday', ['query', 'from']],
  ['actorName=', ['query', 'actorName']],
  [`actorName=${'x'.repeat(201)}`, ['query', 'actorName']],
  ['action=login_failed&action=LOGIN', ['query', 'action', '1']],
  ['merchantId=x', ['query', 'merchantId']],
])('%s is refused', async (query, loc) => {
  const reply = await list(query);
  expect(reply.status).toBe(422);
  expect(reply.body.detail).toMatchObject([{ loc }]);
});

test('of a parameter that is no list the last value counts', async () => {
  await list('page=2&page=4');
  expect(asked()).toMatchObject({ page: { offset: 150 } });
});

test('a request that changes something carries how the client calls itself; a read does not', async () => {
  const agent = `till/1.0\t ${'x'.repeat(300)}`;
  const headers = { 'user-agent': agent };
  await gateway.send('POST', '/v2/loyalty/programs', { token: 'user', headers, body: { name: 'Club' } });
  await gateway.send('GET', '/v2/token', { token: 'user', headers });
  const agents = new Map(gateway.calls.map(({ rpc, caller }) => [rpc, caller.userAgent]));
  expect(agents.get('createProgram')).toBe(`till/1.0 ${'x'.repeat(191)}`);
  expect(agents.get('getUser')).toBeUndefined();
});
