import { expect, test } from '@jest/globals';
import { ConfigError, EnvReader } from './env.ts';

const key = Buffer.alloc(32).toString('base64');

test('every bad variable is named at once', () => {
  const reader = new EnvReader({ PORT: '70000', FLAG: 'yes', KEY: 'c2hvcnQ=', KEYS: `${key},c2hvcnQ=`, COMMAS: ' , ' });
  reader.int('PORT', { min: 0, max: 65_535 });
  reader.bool('FLAG', false);
  reader.secret('KEY');
  reader.secrets('KEYS');
  reader.secrets('NO_KEYS');
  reader.secrets('COMMAS');
  reader.string('NAME');
  const done = () => reader.done({});
  expect(done).toThrow(ConfigError);
  for (const name of ['PORT', 'FLAG', 'KEY ', 'KEYS', 'NO_KEYS', 'COMMAS', 'NAME']) expect(done).toThrow(name);
});

test('good values and fallbacks are read', () => {
  const reader = new EnvReader({ PORT: '8080', LIST: 'a, b,,c', KEYS: `${key}, ${key}` });
  expect(reader.int('PORT', { min: 0, max: 65_535 })).toBe(8080);
  expect(reader.int('OTHER', { fallback: 5, min: 0, max: 9 })).toBe(5);
  expect(reader.list('LIST')).toEqual(['a', 'b', 'c']);
  expect(reader.secrets('KEYS')).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  expect(reader.bool('FLAG', true)).toBe(true);
  expect(reader.done('config')).toBe('config');
});
