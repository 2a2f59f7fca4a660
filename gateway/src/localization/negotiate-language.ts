import Negotiator from 'negotiator';
import { knownLanguages } from './known-languages.ts';

const fallback = 'en';
const codeByKey = new Map(knownLanguages.map(({ code }) => [code.toLowerCase(), code]));
const codes = knownLanguages.map(({ code }) => code);

/**
 * The language to answer in: the known one that the client likes best (RFC 9110, section 12.5.4), looked up as RFC 4647
 * section 3.4 says, so that `de-CH` finds `de` and `zh-TW` finds `zh-Hant`. English when none is known.
 * @param header - an Accept-Language field; undefined and `*` stand for any language
 */
export function negotiateLanguage(header: string | undefined): string {
  const negotiator = new Negotiator({ headers: { 'accept-language': header } });
  for (const tag of negotiator.languages()) {
    if (tag === '*') return anyLanguage(negotiator);
    const code = lookUp(tag);
    if (code !== undefined && !isRefused(header, code)) return code;
  }
  return fallback;
}

function anyLanguage(negotiator: Negotiator): string {
  const acceptable = negotiator.languages(codes);
  return acceptable.includes(fallback) ? fallback : (acceptable[0] ?? fallback);
}

/** Whether the field gives the language a q of 0. */
function isRefused(header: string | undefined, code: string): boolean {
  const withRest = new Negotiator({ headers: { 'accept-language': `${header}, *;q=0.001` } });
  return withRest.languages([code]).length === 0;
}

function lookUp(tag: string): string | undefined {
  const range = canonical(tag);
  if (range === undefined) return undefined;
  // First as it is, then with its likely script, which is what tells zh-TW from zh-CN; the bare language comes last.
  const ranges = [...shortened(range.toString()).slice(0, -1), ...shortened(range.maximize().toString())];
  const found = ranges.find((candidate) => codeByKey.has(candidate.toLowerCase()));
  return found === undefined ? undefined : codeByKey.get(found.toLowerCase());
}

function canonical(tag: string): Intl.Locale | undefined {
  try {
    const locale = new Intl.Locale(tag);
    // CLDR takes Norwegian as such for Bokmål, but ICU leaves `no` as it is.
    return locale.language === 'no' ? new Intl.Locale(locale, { language: 'nb' }) : locale;
  } catch {
    return undefined;
  }
}

/** `zh-Hant-TW`, `zh-Hant`, `zh`. */
function shortened(tag: string): string[] {
  const parts = tag.split('-');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
}
