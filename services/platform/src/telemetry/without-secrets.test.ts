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

test.each([
  ['backslashes', '\\'],
  ['quotes with backslashes before them', '\\\\\\"'],
  ['names without an end', '\\"password\\":\\"'],
  ['names in names', '"password":"\\"'],
  ['starts of a JWT', 'eyJ'],
  ['starts of a JWT, with dots', 'eyJaaaaaaaa.'],
  ['Bearer', 'Bearer '],
  ['digits', '1'],
  ['spaces after a closing quote', '\\"password\\":\\"\\"   '],
  ['prefixes', 'tc_live_whsec_'],
])('a line of %s takes time in proportion to its length', (_what, piece) => {
  const tookMs = (text: string) => {
    const line = JSON.stringify({ err: { message: text }, parts: text.match(/.{1,4000}/g) });
    const startedAt = performance.now();
    JSON.parse(withoutSecrets(line));
    return performance.now() - startedAt;
  };
  expect(tookMs(piece.repeat(Math.ceil(256_000 / piece.length)))).toBeLessThan(1_000);
});

test('what is too long is cut before the word in which it would end, and stays JSON', () => {
  for (let length = 4_060; length < 4_110; length += 1) {
    const text = `${'x "\n'.repeat(600)}${' '.repeat(length - 3_600)} 6034930000000017 Bearer abcdefghijkl`;
    const line = withoutSecrets(JSON.stringify({ text, deep: JSON.stringify({ text, password: 'hunter2hunter2' }) }));
    expect(Object.keys(JSON.parse(line) as object)).toEqual(['text', 'deep']);
    expect(line).not.toMatch(/6034|abc|hunter/);
  }
  const whole = JSON.stringify({ text: 'x y'.repeat(1_300), after: 1 });
  expect(withoutSecrets(whole)).toBe(whole);
});

test('nested JSON whose secret has no end is cut to the end of the text', () => {
  const line = withoutSecrets(JSON.stringify({ text: '{"password":"hunter2 and more', after: 'kept' }));
  expect(line).not.toMatch(/hunter|more/);
  expect(JSON.parse(line)).toMatchObject({ after: 'kept' });
});
