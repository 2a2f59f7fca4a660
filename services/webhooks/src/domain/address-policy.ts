import ipaddr from 'ipaddr.js';

/** Which addresses a webhook may go to. */
export interface AddressPolicy {
  /** Development only: lets 127.0.0.0/8 and ::1 through, and nothing else besides. */
  readonly allowLoopback: boolean;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** A public address that clouds answer with instance metadata on (Azure's wire server). */
const metadataAddresses = new Set(['168.63.129.16']);

/**
 * Whether a connection to this IP address may be made: public unicast only. IPv4 inside IPv6 (mapped, translated,
 * 6to4, NAT64 of RFC 6052) is judged as the IPv4 address it stands for; what cannot be told is refused.
 */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const plain = parsed.kind() === 'ipv6' ? embeddedIPv4(parsed as ipaddr.IPv6) : parsed;
  if (plain.range() === 'loopback') return policy.allowLoopback;
  if (plain.range() !== 'unicast' || metadataAddresses.has(plain.toString())) return false;
  return plain.kind() === 'ipv4' || plain.match(globalUnicast);
}

/** The IPv4 address that an IPv6 address stands for, else the address itself. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === 'ipv4Mapped' || range === 'rfc6145' || address.match(nat64)) return new ipaddr.IPv4(bytes.slice(12));
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  return address;
}
