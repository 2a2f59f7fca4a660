import { describe, expect, test } from '@jest/globals';
import { composeProgram, merchantName, type ProgramDraft } from './program.ts';

const identity = { id: 'a'.repeat(24), merchantId: 'b'.repeat(24), createdAt: new Date(0) };
const compose = (draft: Partial<ProgramDraft>) => composeProgram(identity, { name: 'Club', ...draft });

describe('a draft is refused', () => {
  test.each<[string, Partial<ProgramDraft>]>([
    ['without a name', { name: '' }],
    ['with a name of 256 characters', { name: 'x'.repeat(256) }],
    ['with an unknown type', { type: 'gift_card' }],
    ['with a currency in small letters', { currency: 'gbp' }],
    ['with a currency that is none', { currency: 'ABC' }],
    ['with gold for currency', { currency: 'XAU' }],
    ['in yen, which have no decimals', { currency: 'JPY' }],
    ['in dinars, which have three', { currency: 'BHD' }],
    ['with an expiry of 0 days', { giftCard: { expiryDays: 0 } }],
    ['with an expiry of more than five years', { giftCard: { expiryDays: 1826 } }],
    ['with half a day', { giftCard: { expiryDays: 0.5 } }],
    ['with a bulk threshold of 0', { giftCard: { bulkThreshold: 0 } }],
    ['with a country of three letters', { country: 'GBR' }],
    ['with a website that is no URL', { website: 'shop' }],
    ['with a website that is a script', { website: 'javascript:alert(1)' }],
    ['with terms that never end', { terms: 'x'.repeat(20_001) }],
  ])('%s', (_what, draft) => {
    expect(() => compose(draft)).toThrow(expect.objectContaining({ kind: 'unprocessable', code: 'validation_error' }));
  });
});

describe('a program', () => {
  test('has defaults for what the draft leaves out', () => {
    expect(compose({})).toEqual({
      ...identity,
      name: 'Club',
      type: 'LOYALTY',
      currency: 'GBP',
      giftCard: { expiryDays: 365, bulkThreshold: 50 },
      updatedAt: identity.createdAt,
    });
  });

  test('takes the least and the most', () => {
    expect(compose({ giftCard: { expiryDays: 1, bulkThreshold: 1 } }).giftCard).toEqual({
      expiryDays: 1,
      bulkThreshold: 1,
    });
    expect(compose({ giftCard: { expiryDays: 1825 } }).giftCard).toEqual({ expiryDays: 1825, bulkThreshold: 50 });
  });

  test('shows its company as the merchant, or else its name', () => {
    expect(merchantName(compose({ company: 'Shop Ltd' }))).toBe('Shop Ltd');
    expect(merchantName(compose({ company: '' }))).toBe('Club');
    expect(merchantName(compose({}))).toBe('Club');
  });
});
