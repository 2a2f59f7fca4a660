import { expect, test } from '@jest/globals';
import { networkOf } from './network.ts';

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1234:5678:9abc:def0:1234:5678', '2001:db8:1234::/48'],
  ['::1', '::/48'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
])('%s is of %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each(['', '203.0.113', '203.0.113.256', '0x7f.1', 'fe80::1%eth0', '203.0.113.7/24', ' 203.0.113.7', 'localhost'])(
  '%j is no address',
  (text) => {
    expect(networkOf(text)).toBeUndefined();
  },
);
