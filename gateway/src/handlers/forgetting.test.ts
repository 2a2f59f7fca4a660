import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError, unavailable } from '#platform/errors.ts';
import { principal, startTestGateway, type TestGateway } from '../testing.ts';

const id = 'e00000000000000000000021';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const lookUps = () => gateway.calls.filter(({ rpc }) => rpc === 'authenticate').length;
const gone = () => new AppError('not_found', 'not_found', 'No such key.');

test.each([
  ['DELETE', `/v2/keys/${id}`, 'deleteKey', gone],
  ['DELETE', `/v2/appkeys/${id}`, 'deleteAppKey', gone],
  ['POST', `/v2/keys/${id}/freeze`, 'freezeKey', unavailable],
  ['POST', `/v2/keys/${id}/unfreeze`, 'unfreezeKey', unavailable],
  ['POST', `/v2/keys/${id}/rotate`, 'rotateKey', unavailable],
  ['POST', `/v2/admin/users/${id}/deactivate`, 'setUserActive', unavailable],
  ['POST', `/v2/admin/users/${id}/activate`, 'setUserActive', unavailable],
  ['DELETE', `/v2/admin/users/${id}/mfa`, 'resetMfa', unavailable],
] as const)('a credential is asked for anew after %s %s, also when that failed', async (method, path, rpc, failure) => {
  const token = `of-${rpc}-${path}`;
  gateway.answer({
    authenticate: async ({ credential }) =>
      credential === 'admin'
        ? principal({ admin: true })
        : principal({ kind: 'api_key', credentialId: id, userId: id, fullAccess: true }),
    [rpc]: () => Promise.reject(failure()),
  });
  const whoAmI = () => gateway.send('GET', '/v2/token', { token });
  await whoAmI();
  expect((await gateway.send(method, path, { token: 'admin' })).status).toBe(failure === gone ? 404 : 503);
  const before = lookUps();
  await whoAmI();
  expect(lookUps()).toBe(before + 1);
  await whoAmI();
  expect(lookUps()).toBe(before + 1);
});

test("a user's other sessions are asked for anew after MFA was turned on, also when the answer was lost", async () => {
  gateway.answer({
    authenticate: async () => principal({ userId: id }),
    verifyMfa: () => Promise.reject(unavailable()),
  });
  await gateway.send('GET', '/v2/token', { token: 'other' });
  const reply = await gateway.send('POST', '/v2/token/mfa/verify', { token: 'own', body: { code: '123456' } });
  expect(reply.status).toBe(503);
  const before = lookUps();
  await gateway.send('GET', '/v2/token', { token: 'other' });
  expect(lookUps()).toBe(before + 1);
});
