import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const ipv4Bytes = 3;
const ipv6Bytes = 6;

/** The network of an address, a /24 of IPv4 or a /48 of IPv6; undefined for what is no address. */
export function networkOf(address: string): string | undefined {
  if (isIP(address) === 0 || address.includes('%')) return undefined;
  // IPv4 in IPv6's clothes is IPv4.
  const bytes = ipaddr.process(address).toByteArray();
  const kept = bytes.length === 4 ? ipv4Bytes : ipv6Bytes;
  const network = ipaddr.fromByteArray(bytes.map((byte, index) => (index < kept ? byte : 0)));
  return `${network.toString()}/${kept * 8}`;
}
