import { expect, test } from '@jest/globals';
import { composeTemplate } from './template.ts';

const identity = { id: 'a'.repeat(24), merchantId: 'b'.repeat(24), createdAt: new Date(0) };

test.each([
  ['', 'coupon'],
  ['x'.repeat(256), 'coupon'],
  ['Spring', ''],
  ['Spring', 'Coupon'],
])('a draft named "%s" of style "%s" is refused', (name, passStyle) => {
  expect(() => composeTemplate(identity, { name, passStyle })).toThrow(
    expect.objectContaining({ kind: 'unprocessable', code: 'validation_error' }),
  );
});

test('a template is as new as its last change', () => {
  const template = composeTemplate(identity, { name: 'Spring', passStyle: 'storeCard' });
  expect(template).toEqual({ ...identity, name: 'Spring', passStyle: 'storeCard', updatedAt: identity.createdAt });
});
