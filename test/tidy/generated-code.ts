import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { repoRoot } from '#stack/paths.ts';
import { clientTypes } from '../client/generate-types.ts';

const generateTimeoutMs = 180_000;
const bin = join(repoRoot, 'node_modules', '.bin');

async function contentsOf(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.map(async (file) => [file.slice(directory.length + 1), await readFile(file, 'latin1')] as const);
  return new Map(await Promise.all(pairs));
}

/** Says of each file that is not the same in both how it differs. */
export function differences(expected: ReadonlyMap<string, string>, actual: ReadonlyMap<string, string>): string[] {
  const names = new Set([...expected.keys(), ...actual.keys()]);
  return [...names].sort().flatMap((name) => {
    if (!actual.has(name)) return [`${name}: missing`];
    if (!expected.has(name)) return [`${name}: no longer generated`];
    return expected.get(name) === actual.get(name) ? [] : [`${name}: not what the protos say now`];
  });
}

/**
 * Generates the code anew and compares it with what is committed, byte by byte.
 *
 * @param protoDir - holds buf.gen.yaml, the protos and `gen`
 * @returns a line for each file that is missing, left over or different
 */
export async function staleFiles(protoDir: string): Promise<string[]> {
  const fresh = await mkdtemp(join(tmpdir(), 'tallycard-generated-'));
  try {
    await promisify(execFile)(join(bin, 'buf'), ['generate', '-o', fresh], {
      cwd: protoDir,
      timeout: generateTimeoutMs,
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
    });
    return differences(await contentsOf(join(fresh, 'gen')), await contentsOf(join(protoDir, 'gen'))).map(
      (line) => `proto/gen/${line} (npm run generate)`,
    );
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** @returns a line when the types of the tests' client are not those of the public schema. */
export async function staleClient(): Promise<string[]> {
  const committed = await readFile(join(repoRoot, 'test', 'client', 'api-types.ts'), 'utf8').catch(() => '');
  return committed === (await clientTypes())
    ? []
    : ['test/client/api-types.ts: not what the schema says now (npm run generate)'];
}
