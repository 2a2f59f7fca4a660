import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { repoRoot } from '#stack/paths.ts';
import { differences, staleFiles } from './generated-code.ts';

let protoDir: string;

beforeEach(async () => {
  // Beside a node_modules, in which buf.gen.yaml looks for the generator.
  const root = await mkdtemp(join(tmpdir(), 'tallycard-stale-'));
  protoDir = join(root, 'proto');
  await mkdir(join(root, 'node_modules', '.bin'), { recursive: true });
  const plugin = join(repoRoot, 'node_modules', '.bin', 'protoc-gen-ts_proto');
  const wrapper = `#!/bin/sh\nexec '${plugin}'\n`;
  await writeFile(join(root, 'node_modules', '.bin', 'protoc-gen-ts_proto'), wrapper, { mode: 0o755 });
  await cp(join(repoRoot, 'proto'), protoDir, { recursive: true });
});

afterEach(async () => {
  await rm(join(protoDir, '..'), { recursive: true, force: true });
});

test('a proto that changed after the code was generated is found', async () => {
  const message = 'syntax = "proto3";\npackage tallycard.late.v1;\nmessage Late {\n  string id = 1;\n}\n';
  await mkdir(join(protoDir, 'tallycard', 'late', 'v1'), { recursive: true });
  await writeFile(join(protoDir, 'tallycard', 'late', 'v1', 'late.proto'), message);
  expect(await staleFiles(protoDir)).toEqual(['proto/gen/tallycard/late/v1/late.ts: missing (npm run generate)']);
});

test('missing, left over and different files are told apart, and equal ones are not named', () => {
  const expected = new Map([
    ['same', '1'],
    ['changed', '1'],
    ['new', '1'],
  ]);
  const actual = new Map([
    ['same', '1'],
    ['changed', '2'],
    ['old', '1'],
  ]);
  expect(differences(expected, actual)).toEqual([
    'changed: not what the protos say now',
    'new: missing',
    'old: no longer generated',
  ]);
});
