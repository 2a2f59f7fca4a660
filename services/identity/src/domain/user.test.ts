import { expect, test } from '@jest/globals';
import { isEmail, normalizeEmail } from './user.ts';

test.each(['', 'nobody', 'a@b', '@b.example', 'a@@b.example', 'a b@c.example', `${'a'.repeat(250)}@b.example`])(
  '"%s" is no e-mail address',
  (text) => {
    expect(isEmail(text)).toBe(false);
  },
);

test('addresses are compared in lowercase, without surrounding blanks', () => {
  expect(normalizeEmail(' Ada@Example.COM ')).toBe('ada@example.com');
  expect(isEmail('ada@example.com')).toBe(true);
});
