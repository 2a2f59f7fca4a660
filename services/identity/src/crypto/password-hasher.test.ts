import { describe, expect, test } from '@jest/globals';
import { createPasswordHasher } from './password-hasher.ts';

const hasher = createPasswordHasher();

describe('password hashing', () => {
  test('derives what a client derives', async () => {
    // Python: hashlib.pbkdf2_hmac('sha256', b'correct horse', b'ada@example.com', 600000, 32)
    const derived = await hasher.derive('correct horse', 'ada@example.com');
    expect(derived).toBe('6hchnujG4zIiDRAidkAfhHDuBzFapKl0j2A01mO3FTE=');
  });

  test('stores argon2id with a salt of its own each time', async () => {
    const [one, two] = await Promise.all([hasher.hash('x'), hasher.hash('x')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(two);
    await expect(hasher.verify('x', one)).resolves.toBe(true);
    await expect(hasher.verify('y', one)).resolves.toBe(false);
    await expect(hasher.verify('', one)).resolves.toBe(false);
  });

  test('verifies a hash made elsewhere, with its own parameters', async () => {
    // The example of RFC 9106's reference implementation: argon2id, t=2, m=65536, p=1, "password", "somesalt".
    const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    await expect(hasher.verify('password', stored)).resolves.toBe(true);
    await expect(hasher.verify('passwore', stored)).resolves.toBe(false);
  });

  test('is false, after the same work, when nothing is stored', async () => {
    await expect(hasher.verify('x', undefined)).resolves.toBe(false);
  });

  test('a stored hash of another form is a bug, not a wrong password', async () => {
    await expect(hasher.verify('x', 'plain')).rejects.toThrow('PHC');
  });

  test('refuses work when too much is waiting, and goes on afterwards', async () => {
    const busy = createPasswordHasher({ runningMax: 1, waitingMax: 1 });
    const results = await Promise.allSettled([busy.hash('a'), busy.hash('b'), busy.hash('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results[2]).toMatchObject({ reason: { kind: 'unavailable', code: 'unavailable' } });
    await expect(busy.hash('d')).resolves.toBeDefined();
  });
});
