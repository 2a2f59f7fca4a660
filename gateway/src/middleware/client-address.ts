import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** The client's address, without the IPv6 wrapping of IPv4. Express looks behind proxies where `trust proxy` is set. */
export function clientAddress(request: Request): string {
  const address = request.ip ?? '';
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** What a per-address limit counts: an IPv4 address, or the /64 that one IPv6 client has to itself. */
export function limitedNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':');
}
