import { expect, test } from '@jest/globals';
import express from 'express';
import type { Passage } from './passage.ts';
import { requestSpan } from './request-span.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function parentOf(trust: number | string[] | undefined, peer: string): string | undefined {
  const isTrusted = trust === undefined ? undefined : express().set('trust proxy', trust).get('trust proxy fn');
  const request = { method: 'GET', headers: { traceparent }, socket: { remoteAddress: peer } };
  return requestSpan({ route: { path: '/v2/x' }, request } as unknown as Passage, isTrusted).parent;
}

test.each([
  [undefined, '203.0.113.7'],
  [undefined, '127.0.0.1'],
  [0, '10.0.0.1'],
  [['10.0.0.0/8'], '203.0.113.7'],
])('with trust in %j a trace of %s is not gone on with', (trust, peer) => {
  expect(parentOf(trust, peer)).toBeUndefined();
});

test.each([
  [1, '203.0.113.7'],
  [['10.0.0.0/8'], '10.0.0.1'],
  [['10.0.0.0/8'], '::ffff:10.0.0.1'],
])('with trust in %j a trace of %s is', (trust, peer) => {
  expect(parentOf(trust, peer)).toBe(traceparent);
});
