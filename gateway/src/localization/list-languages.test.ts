import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../testing.ts';
import { knownLanguages } from './known-languages.ts';
import { type Language, languagesIn } from './list-languages.ts';

const path = '/v2/localization/languages';

describe('the languages', () => {
  test('are many, each with a canonical code, a flag and its own name', () => {
    expect(knownLanguages.length).toBeGreaterThanOrEqual(60);
    expect(new Set(knownLanguages.map(({ code }) => code)).size).toBe(knownLanguages.length);
    for (const { code, region, nativeName } of knownLanguages) {
      expect(Intl.getCanonicalLocales(code)).toEqual([code]);
      expect(new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(region)).toBeDefined();
      expect(nativeName.toLowerCase()).not.toBe(code.toLowerCase());
    }
  });

  test('have the native names of CLDR', () => {
    const own = (code: string) => new Intl.DisplayNames([code], { type: 'language' }).of(code);
    expect(knownLanguages.map(({ nativeName }) => nativeName)).toEqual(knownLanguages.map(({ code }) => own(code)));
  });

  test('have a name in every language, and an order of its alphabet', () => {
    for (const { code } of knownLanguages) {
      const list = languagesIn(code);
      expect(list).toHaveLength(knownLanguages.length);
      for (const { name, code: named } of list) expect([named, name.length > 1]).toEqual([named, true]);
      expect(languagesIn(code)).toBe(list);
    }
    const namesIn = (code: string) => languagesIn(code).map(({ name }) => name);
    expect(namesIn('en').slice(0, 3)).toEqual(['Afrikaans', 'Albanian', 'Amharic']);
    // In Czech, ch is a letter that comes after h.
    expect(namesIn('cs').indexOf('chorvatština')).toBeGreaterThan(namesIn('cs').indexOf('hindština'));
    expect(namesIn('de').slice(0, 2)).toEqual(['Afrikaans', 'Albanisch']);
  });
});

describe('GET /v2/localization/languages', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const ask = (acceptLanguage?: string) =>
    gateway.send('GET', path, {
      token: 'user',
      headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage },
    });

  test('refuses an Accept-Language of more than 200 characters', async () => {
    expect((await ask('de,'.repeat(66).padEnd(200, 'x'))).status).toBe(200);
    const refused = await ask('x'.repeat(201));
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toMatchObject([
      { loc: ['header', 'accept-language'], type: 'string_too_long', ctx: { max_length: 200 } },
    ]);
  });

  test('names them in the language asked for, and says which that is', async () => {
    const german = await ask('tlh, de-CH;q=0.7, en;q=0.2');
    expect(german.headers).toMatchObject({ 'content-language': 'de', vary: 'Accept-Encoding, Accept-Language' });
    expect(german.body as unknown as Language[]).toContainEqual({
      code: 'fr',
      name: 'Französisch',
      flag: '🇫🇷',
      nativeName: 'français',
    });
    const usual = await ask();
    expect(usual.headers['content-language']).toBe('en');
    expect(usual.body as unknown as Language[]).toContainEqual({
      code: 'ja',
      name: 'Japanese',
      flag: '🇯🇵',
      nativeName: '日本語',
    });
  });
});
