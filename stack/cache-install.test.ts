import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedDir, installOnce } from './cache-install.ts';
import { findOnPath, run } from './command.ts';

const cacheHomeBefore = process.env.XDG_CACHE_HOME;
let cacheHome: string;
beforeEach(() => {
  cacheHome = mkdtempSync(join(tmpdir(), 'tallycard-cache-'));
  process.env.XDG_CACHE_HOME = cacheHome;
});
afterEach(() => {
  rmSync(cacheHome, { recursive: true, force: true });
  if (cacheHomeBefore === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = cacheHomeBefore;
});

test('two that want the same program install it once', async () => {
  let builds = 0;
  const build = async (dir: string) => {
    builds++;
    writeFileSync(join(dir, 'program'), '');
  };
  const program = { id: 'thing-1', label: 'installing', build };
  const dirs = await Promise.all([1, 2].map(() => installOnce(program, () => {}, undefined)));
  expect(builds).toBe(1);
  expect(existsSync(join(dirs[0] ?? '', 'program'))).toBe(true);
  expect(dirs[1]).toBe(dirs[0]);
});

test('half an install leaves nothing and does not count', async () => {
  const build = async (dir: string) => {
    writeFileSync(join(dir, 'program'), '');
    throw new Error('no network');
  };
  const install = installOnce({ id: 'thing-1', label: 'installing', build }, () => {}, undefined);
  await expect(install).rejects.toThrow('no network');
  expect(cachedDir('thing-1')).toBeUndefined();
  expect(readdirSync(join(cacheHome, 'tallycard'))).toEqual([]);
});

test('a command that fails tells the end of its output', async () => {
  await expect(run('sh', ['-c', 'echo out of paper; exit 3'])).rejects.toThrow(/exit code 3\nout of paper/);
});

test('a command that takes too long is ended together with its helpers', async () => {
  const startedAtMs = Date.now();
  await expect(run('sh', ['-c', 'sleep 60; true'], { timeoutMs: 50 })).rejects.toThrow('took too long');
  expect(Date.now() - startedAtMs).toBeLessThan(5_000);
});

test('a program is found on PATH only if it can be run', () => {
  writeFileSync(join(cacheHome, 'plain'), '');
  writeFileSync(join(cacheHome, 'program'), '', { mode: 0o755 });
  expect(findOnPath('plain', cacheHome)).toBeUndefined();
  expect(findOnPath('program', `/nowhere:${cacheHome}`)).toBe(join(cacheHome, 'program'));
});
