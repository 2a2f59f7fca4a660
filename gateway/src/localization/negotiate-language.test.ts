import { expect, test } from '@jest/globals';
import { negotiateLanguage } from './negotiate-language.ts';

test.each<[string | undefined, string]>([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['tlh', 'en'],
  ['not a tag!, ???', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['de-CH-1996, en', 'de'],
  // q values order the languages, not their place; without one it is 1.
  ['fr;q=0.2, de;q=0.9, en;q=0.3', 'de'],
  ['fr;q=0.5, it', 'it'],
  ['fr;q=0.8, it;q=0.8', 'fr'],
  ['tlh, nl;q=0.1', 'nl'],
  // A q of 0 means never.
  ['de;q=0, fr;q=0.1', 'fr'],
  ['de;q=0', 'en'],
  ['pt-BR, pt-BR;q=0, fr;q=0.1', 'pt-BR'],
  ['de-AT, de;q=0, fr;q=0.1', 'fr'],
  ['*, en;q=0', 'af'],
  ['tlh, *;q=0', 'en'],
  ['sv, *;q=0.5', 'sv'],
  ['*;q=0.1, sv;q=0.5', 'sv'],
  // Script and region.
  ['pt', 'pt'],
  ['pt-BR', 'pt-BR'],
  ['pt-AO', 'pt'],
  ['zh', 'zh'],
  ['zh-CN', 'zh'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['sr-Latn-RS', 'sr-Latn'],
  ['sr', 'sr'],
  // Old codes.
  ['iw', 'he'],
  ['in-ID', 'id'],
  // Norwegian as such is Bokmål.
  ['no', 'nb'],
  ['no-NO, en;q=0.9', 'nb'],
  ['no, nn;q=0.5', 'nb'],
  ['nn-NO, no;q=0.5', 'nn'],
])('%p asks for %s', (header, code) => {
  expect(negotiateLanguage(header)).toBe(code);
});
