import { describe, expect, test } from '@jest/globals';
import { BodyCheck } from './validation.ts';

function faults(check: BodyCheck): unknown {
  try {
    check.done();
  } catch (error) {
    return (error as { details: { detail: unknown } }).details.detail;
  }
  return [];
}

describe('BodyCheck', () => {
  test('collects every fault in the words of pydantic', () => {
    const check = new BodyCheck()
      .text('name', '', { min: 1, max: 2 })
      .text('terms', 'xyz', { min: 1, max: 2 })
      .text('phone', '🎁', { min: 2, max: 2 })
      .pattern('country', 'gb', /^[A-Z]{2}$/)
      .int('giftCard.expiryDays', 0, { min: 1, max: 3 })
      .int('giftCard.bulkThreshold', 4, { min: 1, max: 3 })
      .int('count', 1.5, { min: 1, max: 3 })
      .oneOf('type', 'X', ['A', 'B', 'C'])
      .rule('endsAt', false, 'endsAt must come after startsAt');
    expect(faults(check)).toMatchObject([
      { loc: ['body', 'name'], type: 'string_too_short', msg: 'String should have at least 1 character' },
      { loc: ['body', 'terms'], type: 'string_too_long', ctx: { max_length: 2 } },
      { loc: ['body', 'phone'], type: 'string_too_short', msg: 'String should have at least 2 characters' },
      { loc: ['body', 'country'], type: 'string_pattern_mismatch', input: 'gb' },
      { loc: ['body', 'giftCard', 'expiryDays'], type: 'greater_than_equal', ctx: { ge: 1 } },
      { loc: ['body', 'giftCard', 'bulkThreshold'], type: 'less_than_equal', ctx: { le: 3 } },
      { loc: ['body', 'count'], type: 'int_type' },
      { loc: ['body', 'type'], type: 'literal_error', msg: "Input should be 'A', 'B' or 'C'" },
      { loc: ['body', 'endsAt'], type: 'value_error', msg: 'Value error, endsAt must come after startsAt' },
    ]);
  });

  test('takes what is absent or within its bounds', () => {
    const check = new BodyCheck()
      .text('name', undefined, { min: 1, max: 2 })
      .text('name', 'ab', { min: 1, max: 2 })
      .text('name', '🎁🎁', { min: 2, max: 2 })
      .pattern('country', undefined, /x/)
      .pattern('country', 'GB', /^[A-Z]{2}$/)
      .int('count', undefined, { min: 1, max: 3 })
      .int('count', 3, { min: 1, max: 3 })
      .oneOf('type', undefined, ['A'])
      .oneOf('type', 'A', ['A'])
      .rule('endsAt', true, 'never told');
    expect(faults(check)).toEqual([]);
  });
});
