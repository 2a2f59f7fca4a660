import { type KnownLanguage, knownLanguages } from './known-languages.ts';

/** A language as it is listed. */
export interface Language {
  readonly code: string;
  readonly name: string;
  readonly flag: string;
  readonly nativeName: string;
}

// By the language of the names. Bounded: only codes of known languages are kept.
const lists = new Map<string, readonly Language[]>();
const english = new Intl.DisplayNames(['en'], { type: 'language' });

/** All known languages, with names in one of them, in its alphabetical order. Made once for each. */
export function languagesIn(code: string): readonly Language[] {
  const known = lists.get(code);
  if (known !== undefined) return known;
  const names = new Intl.DisplayNames([code, 'en'], { type: 'language', fallback: 'none' });
  const { compare } = new Intl.Collator([code, 'en']);
  const list = knownLanguages
    .map((language) => describe(language, names))
    .sort((a, b) => compare(a.name, b.name) || (a.code < b.code ? -1 : 1));
  if (knownLanguages.some((language) => language.code === code)) lists.set(code, list);
  return list;
}

function describe({ code, region, nativeName }: KnownLanguage, names: Intl.DisplayNames): Language {
  // Some languages have no word for some others.
  const name = names.of(code) ?? english.of(code) ?? code;
  return { code, name, flag: flagOf(region), nativeName };
}

const indicatorA = 0x1f1e6;
const letterA = 65;

/** A flag is two regional indicator symbols (Unicode Technical Standard 51). */
function flagOf(region: string): string {
  return String.fromCodePoint(...[...region].map((letter) => indicatorA + letter.charCodeAt(0) - letterA));
}
