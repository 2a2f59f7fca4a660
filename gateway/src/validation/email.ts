import { Fault, faults } from './fault.ts';

const localMax = 64;
const domainMax = 253;
const addressMax = 254;
const labelMax = 63;
const localCharacter = /[\p{L}\p{N}\p{M}!#$%&'*+\-/=?^_`{|}~.]/u;
const domainCharacter = /[\p{L}\p{N}\p{M}\-.]/u;

/** Checks an e-mail address as pydantic's EmailStr does, without its list of reserved names. Keeps it as written. */
export function parseEmail(input: unknown): string | Fault {
  if (typeof input !== 'string') return faults.notAString();
  if (!input.isWellFormed()) return faults.notUnicode();
  const reason = emailFault(input);
  return reason === undefined
    ? input
    : new Fault('value_error', `value is not a valid email address: ${reason}`, { reason });
}

function emailFault(address: string): string | undefined {
  const at = address.indexOf('@');
  if (at < 0) return 'An email address must have an @-sign.';
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  return localFault(local) ?? domainFault(domain) ?? lengthFault(address, local);
}

function localFault(local: string): string | undefined {
  if (local === '') return 'There must be something before the @-sign.';
  const bad = badCharacters(local, localCharacter);
  if (bad !== '') return `The email address contains invalid characters before the @-sign: ${bad}.`;
  if (local.startsWith('.')) return 'An email address cannot start with a period.';
  if (local.endsWith('.')) return 'An email address cannot have a period immediately before the @-sign.';
  if (local.includes('..')) return 'An email address cannot have two periods in a row.';
  return undefined;
}

function domainFault(domain: string): string | undefined {
  if (domain === '') return 'There must be something after the @-sign.';
  if (domain.startsWith('[')) return 'A bracketed IP address after the @-sign is not allowed here.';
  const bad = badCharacters(domain, domainCharacter);
  if (bad !== '') return `The part after the @-sign contains invalid characters: ${bad}.`;
  if (domain.startsWith('.')) return 'An email address cannot have a period immediately after the @-sign.';
  if (domain.endsWith('.')) return 'An email address cannot end with a period.';
  if (domain.startsWith('-')) return 'An email address cannot have a hyphen immediately after the @-sign.';
  if (domain.endsWith('-')) return 'An email address cannot end with a hyphen.';
  if (domain.includes('..')) return 'An email address cannot have two periods in a row.';
  if (/\.-|-\./.test(domain)) return 'An email address cannot have a period and a hyphen next to each other.';
  if (domain.length > domainMax) {
    return `The email address is too long after the @-sign (${tooMany(domain.length - domainMax)}).`;
  }
  const labels = domain.split('.');
  const longest = Math.max(...labels.map((label) => label.length));
  if (longest > labelMax) {
    return `After the @-sign, periods cannot be separated by so many characters (${tooMany(longest - labelMax)}).`;
  }
  if (labels.length < 2) return 'The part after the @-sign is not valid. It should have a period.';
  if (/\d$/.test(domain)) return 'The part after the @-sign is not valid. It is not within a valid top-level domain.';
  return undefined;
}

function lengthFault(address: string, local: string): string | undefined {
  if (address.length > addressMax) return `The email address is too long (${tooMany(address.length - addressMax)}).`;
  if (local.length > localMax) {
    return `The email address is too long before the @-sign (${tooMany(local.length - localMax)}).`;
  }
  return undefined;
}

const tooMany = (count: number) => `${count} character${count === 1 ? '' : 's'} too many`;

function badCharacters(text: string, allowed: RegExp): string {
  const bad = [...new Set(text)].filter((character) => !allowed.test(character)).sort();
  return bad.slice(0, 10).map(characterName).join(', ');
}

function characterName(character: string): string {
  if (character === ' ') return 'SPACE';
  const code = character.codePointAt(0) ?? 0;
  return code > 0x20 && code < 0x7f ? `'${character}'` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
