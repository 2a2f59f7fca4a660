import countries from 'i18n-iso-countries/index.js';

/** The ISO 3166-1 alpha-2 code in capitals, or undefined when there is none such. */
export function toCountry(code: string): string | undefined {
  // Before capitals are made of it: that of ß is SS, South Sudan.
  if (!/^[A-Za-z]{2}$/.test(code)) return undefined;
  const upper = code.toUpperCase();
  return countries.alpha2ToAlpha3(upper) === undefined ? undefined : upper;
}
