import { expect, test } from '@jest/globals';
import { withoutSecrets } from './without-secrets.ts';

const nested = (fields: object) => JSON.stringify({ deep: [{ deeper: fields }], text: JSON.stringify(fields) });

test.each([
  ['cardNumber', '60349300'],
  ['securityCode', '482913'],
  ['password', 'it "has" a \\ and a quote'],
  ['sharedSecret', 'whatever'],
  ['refresh_token', 'abcdef'],
  ['Authorization', 'Basic abc'],
])('%s is cut out wherever it stands', (name, value) => {
  const line = withoutSecrets(nested({ before: 1, [name]: value, after: 2 }));
  for (const part of value.split(/["\\ ]+/).filter((piece) => piece.length > 3)) expect(line).not.toContain(part);
  expect(line.match(/after/g)).toHaveLength(2);
});

test.each([
  ['tc_live_', 'a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6a1B2'],
  ['tc_test_', 'a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6a1B2'],
  ['whsec_', 'c2VjcmV0c2VjcmV0'],
  ['', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI2NmYwIn0.c2lnbmF0dXJl'],
  ['Bearer ', 'opaque-credential'],
  ['', '6034930000000017'],
])('%s%s is known by its shape', (prefix, secret) => {
  expect(withoutSecrets(JSON.stringify({ err: { message: `at ${prefix}${secret}, there` } }))).not.toContain(secret);
});

test('what is no secret stays as it is', () => {
  const fields = {
    requestId: '0c3f9a66-5a3e-4b1f-9d0a-2f7d6a1b6034',
    merchantId: 'a00000000000000000000001',
    at: 1795263908355,
  };
  const line = JSON.stringify({
    ...fields,
    code: 'card_not_found',
    err: { message: 'connect ECONNREFUSED 127.0.0.1:65432' },
  });
  expect(withoutSecrets(line)).toBe(line);
});

test('numbers under a name are cut too, and the line stays JSON', () => {
  expect(JSON.parse(withoutSecrets('{"securityCode":482913,"a":"b"}'))).toEqual({ securityCode: '[secret]', a: 'b' });
});
