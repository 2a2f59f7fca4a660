import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ExactNumber } from '../validation/decimal.ts';
import { toValidationItems } from '../validation/translate-issues.ts';
import {
  amount,
  boolean,
  dateTime,
  email,
  httpUrl,
  id,
  integer,
  list,
  oneOf,
  optional,
  phone,
  text,
} from './primitives.ts';

type Expected = readonly [type: string, msg: string, ctx?: unknown];

/** What pydantic 2.13 answers to the same value, type by type. */
function refuses(schema: z.ZodType, input: unknown): Expected {
  const body = z.strictObject({ field: schema });
  const result = body.safeParse({ field: input });
  if (result.success) throw new Error(`took ${JSON.stringify(input)}`);
  const [item] = toValidationItems(result.error.issues, 'body', { field: input });
  expect(item?.loc).toEqual(['body', 'field']);
  return item?.ctx === undefined ? [item?.type ?? '', item?.msg ?? ''] : [item.type, item.msg, item.ctx];
}

describe('text', () => {
  const bounded = text({ min: 10, max: 12, pattern: /^[0-9]+$/ });
  test.each<[unknown, Expected]>([
    [5, ['string_type', 'Input should be a valid string']],
    [null, ['string_type', 'Input should be a valid string']],
    [{}, ['string_type', 'Input should be a valid string']],
    ['a', ['string_too_short', 'String should have at least 10 characters', { min_length: 10 }]],
    ['0123456789012', ['string_too_long', 'String should have at most 12 characters', { max_length: 12 }]],
    ['abcdefghijk', ['string_pattern_mismatch', "String should match pattern '^[0-9]+$'", { pattern: '^[0-9]+$' }]],
    ['\ud800', ['string_unicode', 'Input should be a valid string, unable to parse raw data as a unicode string']],
  ])('refuses %j', (input, expected) => expect(refuses(bounded, input)).toEqual(expected));

  test('counts one character in the singular', () => {
    const one = 'String should have at least 1 character';
    expect(refuses(text({ min: 1 }), '')).toEqual(['string_too_short', one, { min_length: 1 }]);
    expect(refuses(text({ max: 1 }), 'ab')[1]).toBe('String should have at most 1 character');
  });

  test('counts characters, not code units', () => {
    expect(text({ max: 2 }).parse('👍👍')).toBe('👍👍');
    expect(refuses(text({ min: 2 }), '👍')[0]).toBe('string_too_short');
  });
});

describe('integer', () => {
  const parsing = 'Input should be a valid integer, unable to parse string as an integer';
  test.each<[unknown, Expected]>([
    ['abc', ['int_parsing', parsing]],
    ['', ['int_parsing', parsing]],
    ['1.5', ['int_parsing', parsing]],
    [{}, ['int_type', 'Input should be a valid integer']],
    [null, ['int_type', 'Input should be a valid integer']],
    [1.5, ['int_from_float', 'Input should be a valid integer, got a number with a fractional part']],
    ['0', ['greater_than_equal', 'Input should be greater than or equal to 1', { ge: 1 }]],
    [251, ['less_than_equal', 'Input should be less than or equal to 250', { le: 250 }]],
    ['99999999999999999999', ['less_than_equal', 'Input should be less than or equal to 250', { le: 250 }]],
  ])('refuses %j', (input, expected) => expect(refuses(integer({ min: 1, max: 250 }), input)).toEqual(expected));

  test.each([
    ['5', 5],
    [' +5 ', 5],
    ['1.0', 1],
    [7, 7],
  ])('takes %j', (input, expected) => expect(integer({ min: 1, max: 250 }).parse(input)).toBe(expected));
});

describe('boolean', () => {
  const parsing = 'Input should be a valid boolean, unable to interpret input';
  test.each<[unknown, Expected]>([
    ['maybe', ['bool_parsing', parsing]],
    [2, ['bool_parsing', parsing]],
    [{}, ['bool_type', 'Input should be a valid boolean']],
    [null, ['bool_type', 'Input should be a valid boolean']],
    [1.5, ['bool_type', 'Input should be a valid boolean']],
  ])('refuses %j', (input, expected) => expect(refuses(boolean(), input)).toEqual(expected));

  test.each([
    ['TRUE', true],
    ['on', true],
    [1, true],
    [false, false],
    ['No', false],
  ])('takes %j', (input, expected) => expect(boolean().parse(input)).toBe(expected));
});

describe('amount', () => {
  const notADecimal = ['decimal_parsing', 'Input should be a valid decimal'] as const;
  const places = [
    'decimal_max_places',
    'Decimal input should have no more than 2 decimal places',
    { decimal_places: 2 },
  ] as const;
  const type = ['decimal_type', 'Decimal input should be an integer, float, string or Decimal object'] as const;
  const bounded = amount({ ge: 1n, le: 500_000n });
  test.each<[unknown, Expected]>([
    ['abc', notADecimal],
    ['', notADecimal],
    ['.', notADecimal],
    ['1e3', notADecimal],
    ['1_0', notADecimal],
    ['0x10', notADecimal],
    ['9'.repeat(65), notADecimal],
    [true, type],
    [null, type],
    [{}, type],
    [[5], type],
    [5.001, places],
    ['5.001', places],
    ['-0.001', places],
    [1e-7, places],
    [new ExactNumber('5000.000000000000000001'), places],
    [Number.POSITIVE_INFINITY, ['finite_number', 'Input should be a finite number']],
    [0, ['greater_than_equal', 'Input should be greater than or equal to 0.01', { ge: 0.01 }]],
    ['-5', ['greater_than_equal', 'Input should be greater than or equal to 0.01', { ge: 0.01 }]],
    [5000.01, ['less_than_equal', 'Input should be less than or equal to 5000', { le: 5000 }]],
    [1e21, ['less_than_equal', 'Input should be less than or equal to 5000', { le: 5000 }]],
  ])('refuses %j', (input, expected) => expect(refuses(bounded, input)).toEqual(expected));

  test('refuses what is not above its bound, and more digits than we keep', () => {
    expect(refuses(amount({ gt: 0n }), 0)).toEqual(['greater_than', 'Input should be greater than 0', { gt: 0 }]);
    const digits = 'Decimal input should have no more than 14 digits in total';
    expect(refuses(amount({ ge: 1n }), '1000000000000')).toEqual(['decimal_max_digits', digits, { max_digits: 14 }]);
  });

  test.each<[unknown, bigint]>([
    [25, 2500n],
    [0.1, 10n],
    [0.29, 29n],
    [1.15, 115n],
    [4999.99, 499_999n],
    [5000, 500_000n],
    ['5.000', 500n],
    ['.5', 50n],
    ['5.', 500n],
    ['+5.10', 510n],
    [' 5 ', 500n],
    ['0000005', 500n],
    [5e3, 500_000n],
    [new ExactNumber('5.0000000000000000000'), 500n],
    [new ExactNumber('1234.00000000000000000e0'), 123_400n],
  ])('reads %j exactly', (input, expected) => expect(bounded.parse(input)).toBe(expected));

  test('reads every amount of pence up to 100.00 exactly, written as a number', () => {
    for (let pence = 1; pence <= 10_000; pence += 1) expect(bounded.parse(pence / 100)).toBe(BigInt(pence));
  });

  test('a transfer may name 0 or less, which the ledger refuses', () => {
    expect(amount({ le: 500_000n }).parse(-1)).toBe(-100n);
    expect(amount({ le: 500_000n }).parse('0')).toBe(0n);
  });
});

describe('dateTime', () => {
  const refused = (error: string): Expected => [
    'datetime_parsing',
    `Input should be a valid datetime, ${error}`,
    { error },
  ];
  const rest = 'unexpected extra characters at the end of the input';
  test.each<[unknown, Expected]>([
    [{}, ['datetime_type', 'Input should be a valid datetime']],
    ['', refused('input is too short')],
    ['2024-1-1', refused('input is too short')],
    ['tomorrow please', refused('invalid character in year')],
    ['2024/01/01', refused('invalid date separator, expected `-`')],
    ['2024-xx-01', refused('invalid character in month')],
    ['2024-01-xx', refused('invalid character in day')],
    ['2024-13-01T00:00:00Z', refused('month value is outside expected range of 1-12')],
    ['2023-02-29T00:00:00Z', refused('day value is outside expected range')],
    ['1900-02-29', refused('day value is outside expected range')],
    ['2024-01-01T25:00:00Z', refused(rest)],
    ['2024-01-01T10:60:00Z', refused(rest)],
    ['2024-01-01T10:00:00+25:00', refused(rest)],
    ['2024-01-01X10:00', refused(rest)],
    ['0000-01-01T00:00:00Z', refused('year 0 is out of range')],
    ['9999-12-31T23:59:59-01:00', refused('year 10000 is out of range')],
  ])('refuses %j', (input, expected) => expect(refuses(dateTime(), input)).toEqual(expected));

  test.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T23:59:59Z', '2000-02-29T23:59:59.000Z'],
    ['2024-01-01T10:00', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01 10:00:00.1234567+01:00', '2024-01-01T09:00:00.123Z'],
    ['2024-01-01T00:30:00-0100', '2024-01-01T01:30:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['0100-01-01T00:00:00+01:00', '0099-12-31T23:00:00.000Z'],
  ])('reads %s', (input, expected) => expect(dateTime().parse(input).toISOString()).toBe(expected));
});

describe('email', () => {
  const refused = (reason: string): Expected => [
    'value_error',
    `value is not a valid email address: ${reason}`,
    { reason },
  ];
  test.each<[unknown, Expected]>([
    [5, ['string_type', 'Input should be a valid string']],
    ['abc', refused('An email address must have an @-sign.')],
    ['@b.com', refused('There must be something before the @-sign.')],
    ['a@', refused('There must be something after the @-sign.')],
    ['a@b', refused('The part after the @-sign is not valid. It should have a period.')],
    ['a b@c.com', refused('The email address contains invalid characters before the @-sign: SPACE.')],
    ['a(b@c.com', refused("The email address contains invalid characters before the @-sign: '('.")],
    ['a\n@b.com', refused('The email address contains invalid characters before the @-sign: U+000A.')],
    ['a@b@c.com', refused("The part after the @-sign contains invalid characters: '@'.")],
    ['a@b..com', refused('An email address cannot have two periods in a row.')],
    ['a@.b.com', refused('An email address cannot have a period immediately after the @-sign.')],
    ['a@b.com.', refused('An email address cannot end with a period.')],
    ['.a@c.com', refused('An email address cannot start with a period.')],
    ['a.@c.com', refused('An email address cannot have a period immediately before the @-sign.')],
    ['a@-b.com', refused('An email address cannot have a hyphen immediately after the @-sign.')],
    ['a@b-.com', refused('An email address cannot have a period and a hyphen next to each other.')],
    ['a@[1.2.3.4]', refused('A bracketed IP address after the @-sign is not allowed here.')],
    ['a@1.2', refused('The part after the @-sign is not valid. It is not within a valid top-level domain.')],
    [
      `a@${'b'.repeat(64)}.com`,
      refused('After the @-sign, periods cannot be separated by so many characters (1 character too many).'),
    ],
  ])('refuses %j', (input, expected) => expect(refuses(email(), input)).toEqual(expected));

  test.each(['ada@example.com', 'a@b.c', 'ada.lovelace+till@shop.example', 'mü@münchen.de'])('takes %s', (input) =>
    expect(email().parse(input)).toBe(input),
  );
});

describe('httpUrl', () => {
  const refused = (error: string): Expected => ['url_parsing', `Input should be a valid URL, ${error}`, { error }];
  test.each<[unknown, Expected]>([
    [5, ['url_type', 'URL input should be a string or URL']],
    ['', refused('input is empty')],
    ['abc', refused('relative URL without a base')],
    ['//a', refused('relative URL without a base')],
    ['ftp://a.b', ['url_scheme', "URL scheme should be 'http' or 'https'", { expected_schemes: "'http' or 'https'" }]],
    ['http://', refused('empty host')],
    ['http://a:99999/', refused('invalid port number')],
    ['http://[::1', refused('invalid IPv6 address')],
    ['http://256.1.1.1/', refused('invalid IPv4 address')],
    ['http://exa mple.com', refused('invalid international domain name')],
    [
      `https://a.b/${'c'.repeat(2083)}`,
      ['url_too_long', 'URL should have at most 2083 characters', { max_length: 2083 }],
    ],
  ])('refuses %j', (input, expected) => expect(refuses(httpUrl(), input)).toEqual(expected));

  test('keeps what it takes as it is', () =>
    expect(httpUrl().parse('https://Shop.example')).toBe('https://Shop.example'));
});

describe('words, lists and ids', () => {
  test.each<[z.ZodType, unknown, Expected]>([
    [oneOf('a', 'b', 'c'), 'd', ['literal_error', "Input should be 'a', 'b' or 'c'", { expected: "'a', 'b' or 'c'" }]],
    [oneOf('a', 'b'), 5, ['literal_error', "Input should be 'a' or 'b'", { expected: "'a' or 'b'" }]],
    [oneOf('a'), null, ['literal_error', "Input should be 'a'", { expected: "'a'" }]],
    [list(text({}), { max: 3 }), 'x', ['list_type', 'Input should be a valid list']],
    [list(text({}), { max: 3 }), {}, ['list_type', 'Input should be a valid list']],
    [
      list(text({}), { min: 2, max: 3 }),
      ['a'],
      [
        'too_short',
        'List should have at least 2 items after validation, not 1',
        { field_type: 'List', min_length: 2, actual_length: 1 },
      ],
    ],
    [
      list(text({}), { max: 1 }),
      ['a', 'b'],
      [
        'too_long',
        'List should have at most 1 item after validation, not 2',
        { field_type: 'List', max_length: 1, actual_length: 2 },
      ],
    ],
    [
      z.strictObject({}),
      [],
      ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
    ],
    [z.record(z.string(), z.string()), [], ['dict_type', 'Input should be a valid dictionary']],
    [
      id(),
      '66F0C2A1B4D3E5F6A7B8C9D0',
      ['string_pattern_mismatch', "String should match pattern '^[0-9a-f]{24}$'", { pattern: '^[0-9a-f]{24}$' }],
    ],
    [phone(), 'call me', ['value_error', 'value is not a valid phone number']],
    [phone(), '+1', ['value_error', 'value is not a valid phone number']],
  ])('%#', (schema, input, expected) => expect(refuses(schema, input)).toEqual(expected));

  test('optional reads null as absent', () => {
    expect(optional(text({ min: 3 })).parse(null)).toBeUndefined();
    expect(optional(text({ min: 3 })).parse(undefined)).toBeUndefined();
    expect(refuses(optional(text({ min: 3 })), 'ab')[0]).toBe('string_too_short');
  });
});
