import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeLock } from './complete-lock.mjs';
import { repoRoot } from './paths.ts';

const optionalDependencies = { '@x/tool-linux-x64-musl': '1.0.0', '@x/tool-darwin-arm64': '1.0.0' };

test('adds the platforms that npm left out', () => {
  const lock = { packages: { '': {}, 'node_modules/@x/tool': { dev: true, optionalDependencies } } };
  expect(completeLock(lock)).toEqual(['node_modules/@x/tool-linux-x64-musl', 'node_modules/@x/tool-darwin-arm64']);
  expect(lock.packages).toMatchObject({
    'node_modules/@x/tool-linux-x64-musl': { cpu: ['x64'], dev: true, libc: ['musl'], optional: true, os: ['linux'] },
    'node_modules/@x/tool-darwin-arm64': { version: '1.0.0', cpu: ['arm64'], os: ['darwin'] },
  });
});

test('leaves what is there, nested or not', () => {
  const nested = 'node_modules/y/node_modules/@x/tool';
  const packages = {
    [nested]: { optionalDependencies },
    [`${nested}-linux-x64-musl`]: {},
    'node_modules/@x/tool-darwin-arm64': {},
  };
  expect(completeLock({ packages: { ...packages, [`${nested}/node_modules/@x/tool-linux-x64-musl`]: {} } })).toEqual(
    [],
  );
});

test("this repository's lock is whole: npm ci takes it", () => {
  expect(completeLock(JSON.parse(readFileSync(join(repoRoot, 'package-lock.json'), 'utf8')))).toEqual([]);
});
