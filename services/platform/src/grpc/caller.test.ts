import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Caller, signCaller, verifyCaller } from './caller.ts';

const secret = randomBytes(32);
const caller: Caller = {
  kind: 'api_key',
  merchantId: '0123456789abcdef01234567',
  userId: '0123456789abcdef01234567',
  credentialId: '0123456789abcdef01234568',
  requestId: 'r',
  ip: '192.0.2.1',
};

test('a signed caller comes back as it was', () => {
  expect(verifyCaller(signCaller(caller, secret), [secret])).toEqual(caller);
});

test.each([
  ['another secret', () => signCaller(caller, randomBytes(32))],
  ['an altered body', () => signCaller(caller, secret).replace(/^./, (c) => (c === 'e' ? 'f' : 'e'))],
  ['no signature', () => String(signCaller(caller, secret).split('.')[0])],
  ['a signature cut short', () => signCaller(caller, secret).slice(0, -1)],
  ['one minute passed', () => signCaller(caller, secret, Date.now() - 60_001)],
  ['nothing at all', () => ''],
])('%s: no caller', (_, signed) => {
  expect(verifyCaller(signed(), [secret])).toBeUndefined();
});

test('while the secret is being changed, both count; then the old one is worth nothing', () => {
  const next = randomBytes(32);
  for (const signs of [secret, next]) {
    expect(verifyCaller(signCaller(caller, signs), [secret, next])).toEqual(caller);
    expect(verifyCaller(signCaller(caller, signs), [next, secret])).toEqual(caller);
  }
  expect(verifyCaller(signCaller(caller, secret), [next])).toBeUndefined();
});
