import { describe, expect, it } from '@jest/globals';
import { checkSharedSecret, generateSharedSecret, signatureHeaders } from './signature.ts';

describe('signatureHeaders', () => {
  it('gives the signature of the Standard Webhooks reference vector', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1614265330, body: '{"test": 2432232314}' };
    expect(signatureHeaders(message, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('takes a secret without prefix as its own bytes', () => {
    const message = { id: 'a', timestampSeconds: 1, body: 'é' };
    const asBytes = signatureHeaders(message, 'plain secret');
    expect(asBytes).toEqual(signatureHeaders(message, `whsec_${Buffer.from('plain secret').toString('base64')}`));
  });
});

describe('shared secrets', () => {
  it('are 32 random bytes when made here', () => {
    const secret = generateSharedSecret();
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(generateSharedSecret()).not.toBe(secret);
    expect(() => checkSharedSecret(secret)).not.toThrow();
  });

  it.each([['short'], ['whsec_'], ['whsec_!!!!'], ['whsec_abc'], ['x'.repeat(1025)]])('%.20s is refused', (secret) => {
    expect(() => checkSharedSecret(secret)).toThrow('not valid');
  });

  it.each([['12345678'], ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], ['pässwörtlich']])('%s is taken', (secret) => {
    expect(() => checkSharedSecret(secret)).not.toThrow();
  });
});
