import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteData, isDataDir, nameOf, openDataDir, writePrivate } from './data-dir.ts';
import { type Demo, demoCurlLines, readDemo } from './demo-file.ts';
import { loadSecrets } from './secrets.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tallycard-data-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const keys = { all: 'a', fullAccess: 'b', loyaltyRead: 'c', noScopes: 'd' };
const merchant = { merchantId: 'm', email: 'e', password: 'p', accessToken: 't', programId: 'g', keys };
const admin = { email: 'a', password: 'p' };
const demo: Demo = { baseUrl: 'http://127.0.0.1:1', ...merchant, rival: merchant, admin };

describe('data directory', () => {
  test('has one owner at a time', async () => {
    const first = await openDataDir(dir);
    await expect(openDataDir(dir, 0)).rejects.toThrow(`in use by process ${process.pid}`);
    first.release();
    (await openDataDir(dir)).release();
  });

  test('is waited for while its owner is stopping', async () => {
    const first = await openDataDir(dir);
    first.markStopping();
    const second = openDataDir(dir, 0);
    first.release();
    (await second).release();
  });

  test('released twice does not take the lock of the next owner', async () => {
    const first = await openDataDir(dir);
    first.release();
    const second = await openDataDir(dir);
    first.release();
    await expect(openDataDir(dir, 0)).rejects.toThrow('in use');
    second.release();
  });

  test('is deleted whole, but for what is not ours', async () => {
    await openDataDir(dir);
    writeFileSync(join(dir, 'secrets.json'), '{}');
    writeFileSync(join(dir, 'thesis.txt'), 'years of work');
    expect(deleteData(dir)).toEqual(['thesis.txt']);
    rmSync(join(dir, 'thesis.txt'));
    expect(deleteData(dir)).toEqual([]);
    expect(existsSync(dir)).toBe(false);
  });

  test('is told from any other directory', async () => {
    expect(isDataDir(dir)).toBe(false);
    (await openDataDir(dir)).release();
    expect(isDataDir(dir)).toBe(true);
  });

  test('names its containers the same each time, and not as another one does', () => {
    expect(nameOf(dir)).toBe(nameOf(`${dir}/.`));
    expect(nameOf(dir)).not.toBe(nameOf(`${dir}2`));
  });
});

describe('secrets', () => {
  test('are made once, for this user only', () => {
    const file = join(dir, 'secrets.json');
    const made = loadSecrets(file);
    expect(loadSecrets(file)).toEqual(made);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(made.CALLER_SECRET, 'base64')).toHaveLength(32);
  });

  test('that a newer version needs are added to the kept ones', () => {
    const file = join(dir, 'secrets.json');
    writePrivate(file, { CALLER_SECRET: 'kept' });
    const secrets = loadSecrets(file);
    expect(secrets.CALLER_SECRET).toBe('kept');
    expect(loadSecrets(file)).toEqual(secrets);
  });
});

describe('demo.json', () => {
  test('is kept, with the address of today', () => {
    const file = join(dir, 'demo.json');
    writePrivate(file, demo);
    expect(readDemo(file, 'http://127.0.0.1:2')).toEqual({ ...demo, baseUrl: 'http://127.0.0.1:2' });
    expect(readDemo(file, 'http://127.0.0.1:2')?.baseUrl).toBe('http://127.0.0.1:2');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['missing', undefined],
    ['not JSON', '{"baseUrl":'],
    ['without its rival', JSON.stringify({ ...demo, rival: undefined })],
    ['without a key', JSON.stringify({ ...demo, keys: { ...keys, noScopes: undefined } })],
  ])('that is %s does not count', (_, content) => {
    const file = join(dir, 'demo.json');
    if (content) writeFileSync(file, content);
    expect(readDemo(file, demo.baseUrl)).toBeUndefined();
  });

  test('gives three lines to paste', () => {
    const lines = demoCurlLines(demo);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^curl .*Bearer t' .*http:\/\/127\.0\.0\.1:1\/v2\//);
  });
});
