import { isIP } from 'node:net';
import { type AddressPolicy, isAllowedAddress } from './address-policy.ts';
import { errors } from './errors.ts';

const urlLengthMax = 2083;

/**
 * Checks a webhook's URL as far as it can be checked without DNS: http(s), no credentials, no refused IP literal in
 * any spelling (the URL parser turns `0x7f.1` and the like into dotted form). Names are checked on the connection.
 * @throws AppError `validation_error` at `["body", "url"]`.
 */
export function checkWebhookUrl(text: string, policy: AddressPolicy): void {
  if (text.length > urlLengthMax) throw errors.settingRefused('url', `at most ${urlLengthMax} characters`);
  if (!URL.canParse(text)) throw errors.settingRefused('url', 'not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw errors.settingRefused('url', 'http or https only');
  if (url.username !== '' || url.password !== '') throw errors.settingRefused('url', 'no credentials in the URL');
  const address = literalAddress(url.hostname);
  if (address !== undefined && !isAllowedAddress(address, policy)) {
    throw errors.settingRefused('url', 'this address is private or reserved');
  }
}

/** The IP address in a URL's host; for localhost names (RFC 6761) the loopback address; undefined for other names. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(bare) !== 0) return bare;
  return isLocalhost(bare) ? '127.0.0.1' : undefined;
}

/** Whether a name is `localhost` or below it. */
export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}
