import { describe, expect, it } from '@jest/globals';
import { isAllowedAddress } from './address-policy.ts';

const strict = { allowLoopback: false };
const withLoopback = { allowLoopback: true };

const loopback = ['127.0.0.1', '127.255.0.3', '::1', '::ffff:127.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1'];

const refused = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
  ...['100.64.0.1', '100.100.100.200', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
  ...['192.0.0.192', '198.18.0.1', '192.0.2.1', '168.63.129.16'],
  ...['::', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '2001:db8::1', '100::1', '4000::1'],
  ...['::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:0:10.0.0.1', '::a00:1', '::7f00:1'],
  ...['64:ff9b::a9fe:a9fe', '64:ff9b::a00:1', '64:ff9b:1::7f00:1', '2002:a00:1::', '2002:a9fe:a9fe::1', '2001::1'],
  ...['', 'localhost', 'not an address'],
];

const allowed = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '64:ff9b::808:808', '2002:808:808::1'];

describe('isAllowedAddress', () => {
  it.each(refused)('refuses "%s", with and without loopback', (address) => {
    expect(isAllowedAddress(address, strict)).toBe(false);
    expect(isAllowedAddress(address, withLoopback)).toBe(false);
  });

  it.each(loopback)('lets %s through with the development flag only', (address) => {
    expect(isAllowedAddress(address, strict)).toBe(false);
    expect(isAllowedAddress(address, withLoopback)).toBe(true);
  });

  it.each(allowed)('allows %s', (address) => {
    expect(isAllowedAddress(address, strict)).toBe(true);
  });
});
