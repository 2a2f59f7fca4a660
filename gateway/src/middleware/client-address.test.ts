import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import { ids, startTestGateway, type TestGateway } from '../testing.ts';
import { exchange, requestText, statusesIn } from '../testing-wire.ts';
import { clientAddress, limitedNetwork } from './client-address.ts';

/** Whom a request is put down to. */
function clientOf(trust: number | string[] | undefined, forwarded: string | undefined, peer = '10.0.0.1'): string {
  const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: peer } };
  const isTrusted = trust === undefined ? undefined : express().set('trust proxy', trust).get('trust proxy fn');
  return clientAddress(request as unknown as IncomingMessage, isTrusted);
}

describe('with no proxy trusted', () => {
  test.each(['198.51.100.7', '198.51.100.7, 10.0.0.9', '', undefined])(
    'X-Forwarded-For: %j changes nothing',
    (value) => {
      expect(clientOf(undefined, value)).toBe('10.0.0.1');
    },
  );
});

describe('with hops trusted', () => {
  test.each([
    ['what the proxy saw counts', 1, '198.51.100.7', '198.51.100.7'],
    ['what the client made up before does not', 1, '203.0.113.66, 198.51.100.7', '198.51.100.7'],
    ['two hops back', 2, '203.0.113.66, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['more hops than there are: the furthest', 3, '198.51.100.7', '198.51.100.7'],
    ['no header: the proxy itself', 1, undefined, '10.0.0.1'],
    ['an empty one', 1, '', '10.0.0.1'],
  ])('%s', (_what, hops, forwarded, expected) => expect(clientOf(hops, forwarded)).toBe(expected));
});

describe('with addresses trusted', () => {
  const trust = ['10.0.0.0/8', 'fd00::/8', '192.0.2.5'];
  test.each([
    ['the first that is not trusted', '203.0.113.66, 198.51.100.7, 10.9.9.9, 192.0.2.5', '198.51.100.7'],
    ['all trusted: the furthest', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['a trusted address that a client claims for itself', '10.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['IPv6', '2001:db8::7, fd00::1', '2001:db8::7'],
  ])('%s', (_what, forwarded, expected) => expect(clientOf(trust, forwarded)).toBe(expected));

  test('a peer that is not trusted is the client, whatever it says', () => {
    expect(clientOf(trust, '203.0.113.66', '198.51.100.7')).toBe('198.51.100.7');
    expect(clientOf(trust, '203.0.113.66', '::ffff:198.51.100.7')).toBe('198.51.100.7');
  });

  test('a trusted peer is known by its IPv4 address also on an IPv6 socket', () => {
    expect(clientOf(trust, '198.51.100.7', '::ffff:10.0.0.1')).toBe('198.51.100.7');
  });
});

describe('addresses as proxies write them', () => {
  test.each([
    ['198.51.100.7:51234', '198.51.100.7'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:0DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
    [' 198.51.100.7 ', '198.51.100.7'],
  ])('%s', (text, expected) => expect(clientOf(1, text)).toBe(expected));

  test.each([
    'unknown',
    '_hidden',
    '198.51.100.777',
    '0x7f.1',
    '2130706433',
    '198.51.100.7;DROP TABLE',
    '"><script>',
    'fe80::1%eth0',
    '198.51.100.7:99999999',
    ',',
  ])('%j is none, and the proxy is the client', (text) => expect(clientOf(1, text)).toBe('10.0.0.1'));

  test('one in the middle that is none ends the way back', () => {
    expect(clientOf(5, '203.0.113.66, garbage, 198.51.100.7')).toBe('198.51.100.7');
  });
});

test('an IPv6 client is limited with the whole of its network', () => {
  expect(limitedNetwork('2001:db8:1:2:3:4:5:6')).toBe(limitedNetwork('2001:db8:1:2:ffff::1'));
  expect(limitedNetwork('2001:db8:1:2::1')).not.toBe(limitedNetwork('2001:db8:1:3::1'));
  expect(limitedNetwork('198.51.100.7')).toBe('198.51.100.7');
});

describe('of a request', () => {
  let gateway: TestGateway | undefined;
  afterEach(async () => gateway?.stop());
  const forged = {
    'x-forwarded-for': '203.0.113.66',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    forwarded: 'for=203.0.113.66;host=evil.example',
    'x-real-ip': '203.0.113.66',
    'true-client-ip': '203.0.113.66',
    host: 'evil.example',
  };
  const list = `/v2/giftcards/programs/${ids.program}/cards?limit=1`;
  const listTen = { listCards: async () => ({ cards: [], total: 10 }) };

  test('services are told the peer, and links lead to PUBLIC_URL, whatever headers are forged', async () => {
    gateway = await startTestGateway();
    gateway.answer(listTen);
    const reply = await gateway.send('GET', list, { token: 'user', headers: forged });
    expect(reply.headers.link).toMatch(/^<https:\/\/api\.example\.com\/v2\//);
    expect(reply.text + JSON.stringify(reply.headers)).not.toContain('evil');
    expect(gateway.calls.map(({ caller }) => caller.ip)).toEqual(gateway.calls.map(() => '127.0.0.1'));
  });

  test('behind a trusted proxy they are told the client, and links still lead to PUBLIC_URL', async () => {
    gateway = await startTestGateway({ trustProxy: ['loopback'] });
    gateway.answer(listTen);
    const reply = await gateway.send('GET', list, { token: 'user', headers: forged });
    expect(reply.headers.link).toMatch(/^<https:\/\/api\.example\.com\/v2\//);
    expect(gateway.calls.map(({ caller }) => caller.ip)).toEqual(gateway.calls.map(() => '203.0.113.66'));
  });

  test('what a proxy says counts also behind more headers than Node usually keeps', async () => {
    gateway = await startTestGateway({ trustProxy: 1 });
    const many = Object.fromEntries(Array.from({ length: 2_010 }, (_, index) => [`a${index.toString(36)}`, '']));
    const headers = { Authorization: 'Bearer user', Connection: 'close', ...many, 'X-Forwarded-For': '203.0.113.66' };
    const answer = await exchange(gateway.port, requestText('GET /v2/token', headers));
    expect(statusesIn(answer)).toEqual([200]);
    expect(gateway.calls.at(-1)?.caller.ip).toBe('203.0.113.66');
  });
});
