import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lock, tryLock } from './file-lock.mjs';
import { identityOf, isAlive } from './process-identity.mjs';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tallycard-lock-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('is held until it is released', () => {
  const path = join(dir, 'lock');
  const first = tryLock(path);
  expect(tryLock(path).owner?.pid).toBe(process.pid);
  first.release?.();
  expect(tryLock(path).release).toBeDefined();
});

test('of an owner that died is taken over', () => {
  const path = join(dir, 'lock');
  writeFileSync(path, JSON.stringify({ pid: process.pid, startTime: 'another life' }));
  expect(tryLock(path).release).toBeDefined();
  expect(readdirSync(dir)).toEqual(['lock']);
});

test('that is not even whole is taken over', () => {
  const path = join(dir, 'lock');
  writeFileSync(path, '{"pid":');
  expect(tryLock(path).release).toBeDefined();
});

test('is waited for, and whoever waits is told of its owner', async () => {
  const path = join(dir, 'lock');
  const first = tryLock(path);
  let owner = 0;
  const second = lock(path, {
    onWait: (identity) => {
      owner = identity?.pid ?? 0;
      first.release?.();
    },
  });
  (await second)();
  expect(owner).toBe(process.pid);
});

test('a process is known by its start time too', () => {
  expect(isAlive(identityOf(process.pid))).toBe(true);
  expect(isAlive({ pid: process.pid, startTime: '1' })).toBe(false);
});
