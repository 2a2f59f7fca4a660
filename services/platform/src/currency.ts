/**
 * ISO 4217, the active codes of money that people pay with (no metals, funds or test codes) and whose minor unit is a
 * hundredth: amounts have two decimals here, so 100.50 yen would be money that nobody can pay, and 1.005 dinars are lost.
 */
export const currencies: readonly string[] = (
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY ' +
  'COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
  'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR ' +
  'MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG ' +
  'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES ' +
  'WST XCD XCG YER ZAR ZMW ZWG'
).split(' ');

const codes = new Set(currencies);

/** Whether `text` is such a code; capital letters only. */
export function isCurrency(text: string): boolean {
  return codes.has(text);
}
