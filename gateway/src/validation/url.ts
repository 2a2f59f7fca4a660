import { Fault } from './fault.ts';

/** Length of the longest URL that a webhook may have, in characters. */
export const urlLengthMax = 2083;

const invalid = (error: string) => new Fault('url_parsing', `Input should be a valid URL, ${error}`, { error });

/** Checks an absolute http or https URL. Keeps it as written. Whether it may be called is the webhooks service's affair. */
export function parseHttpUrl(input: unknown): string | Fault {
  if (typeof input !== 'string') return new Fault('url_type', 'URL input should be a string or URL');
  if (input === '') return invalid('input is empty');
  if (input.length > urlLengthMax) {
    return new Fault('url_too_long', `URL should have at most ${urlLengthMax} characters`, {
      max_length: urlLengthMax,
    });
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(input)?.[1]?.toLowerCase();
  if (scheme === undefined) return invalid('relative URL without a base');
  if (scheme !== 'http' && scheme !== 'https') {
    const expected = "'http' or 'https'";
    return new Fault('url_scheme', `URL scheme should be ${expected}`, { expected_schemes: expected });
  }
  return URL.canParse(input) && !/\s/.test(input) ? input : invalid(hostFault(input.slice(scheme.length + 1)));
}

function hostFault(rest: string): string {
  const authority = rest.replace(/^\/+/, '').split(/[/?#]/)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host === '') return 'empty host';
  if (host.startsWith('[')) return 'invalid IPv6 address';
  if (/:\d+$/.test(host)) return 'invalid port number';
  if (/^[\d.]+$/.test(host)) return 'invalid IPv4 address';
  return 'invalid international domain name';
}
