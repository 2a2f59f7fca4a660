import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Whether the proxy at an address, `hop` proxies away from us, is believed. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** As some proxies write an address: with a port, and IPv6 in brackets then. */
const withPort = /^(?:\[([0-9a-fA-F:.]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/;
const hopsMax = 32;

/**
 * The client's address: that of the connection, or what the proxies that are trusted say in X-Forwarded-For, from the
 * nearest back to the first that is not trusted. What is no address ends the way back, so that none is made up.
 */
export function clientAddress({ headers, socket }: IncomingMessage, isTrusted: ProxyTrust | undefined): string {
  let address = plain(socket.remoteAddress ?? '');
  const forwarded = headers['x-forwarded-for'];
  if (isTrusted === undefined || typeof forwarded !== 'string') return address;
  const claimed = forwarded.split(',');
  for (let hop = 0; hop < Math.min(claimed.length, hopsMax) && isTrusted(address, hop); hop += 1) {
    const next = parseAddress(claimed[claimed.length - 1 - hop] ?? '');
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/** Whether the connection comes from a proxy that is trusted. */
export function isTrustedPeer({ socket }: IncomingMessage, isTrusted: ProxyTrust | undefined): boolean {
  return isTrusted?.(plain(socket.remoteAddress ?? ''), 0) ?? false;
}

function parseAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const match = withPort.exec(trimmed);
  const bare = match?.[1] ?? match?.[2] ?? trimmed;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare;
  return ipaddr.IPv6.isValid(bare) && !bare.includes('%') ? plain(ipaddr.IPv6.parse(bare).toString()) : undefined;
}

/** Without the IPv6 wrapping of IPv4. */
function plain(address: string): string {
  if (address.startsWith('::ffff:')) {
    const mapped = address.slice(7);
    if (mapped.includes('.')) return mapped;
    const parsed = ipaddr.IPv6.parse(address);
    if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  }
  return address;
}

/** What a per-address limit counts: an IPv4 address, or the /64 that one IPv6 client has to itself. */
export function limitedNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':');
}

/** The network that an address is logged as: its /24, or for IPv6 its /48. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  if (!ipaddr.IPv6.isValid(address)) return '';
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 3);
  return `${parts.map((part) => part.toString(16)).join(':')}::/48`;
}
