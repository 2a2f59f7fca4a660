// That Biome and knip, as they are configured here, find what the rules forbid.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { repoRoot } from '#stack/paths.ts';

let root: string;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

/** What the tool prints; whether it is content is for the test to see. */
function output(tool: string, args: string[]): Promise<{ ok: boolean; text: string }> {
  const file = join(repoRoot, 'node_modules', '.bin', tool);
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd: root }, (error, stdout, stderr) => {
      resolve({ ok: error === null, text: stdout + stderr });
    });
  });
}

const lint = () => output('biome', ['lint', '--error-on-warnings', '.']);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tallycard-tools-'));
  for (const file of ['package.json', 'biome.json', 'knip.jsonc'])
    await copyFile(join(repoRoot, file), join(root, file));
  await write('.gitignore', 'node_modules\n');
  await symlink(join(repoRoot, 'node_modules'), join(root, 'node_modules'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const lines = (count: number) => Array.from({ length: count }, (_, n) => `  console.info(${n});`).join('\n');

test.each([
  ['a long function', 'gateway/src/a.ts', `export function a() {\n${lines(80)}\n}\n`, 'noExcessiveLinesPerFunction'],
  ['a long file', 'gateway/src/a.ts', `${lines(251)}\n`, 'noExcessiveLinesPerFile'],
  ['a long test file', 'gateway/src/a.test.ts', `${lines(401)}\n`, 'noExcessiveLinesPerFile'],
  ['a name in camel case', 'gateway/src/aB.ts', 'export const a = 1;\n', 'useFilenamingConvention'],
  ['a look into the environment', 'services/giftcards/src/a.ts', 'export const a = process.env.A;\n', 'noProcessEnv'],
  ['any', 'services/giftcards/src/a.ts', 'export const a = 1 as any;\n', 'noExplicitAny'],
  [
    'an import of a type as a value',
    'gateway/src/a.ts',
    "import { A } from 'a';\nexport const a: A = 1;\n",
    'useImportType',
  ],
  ['a skipped test', 'gateway/src/a.test.ts', "test.skip('a', () => {});\n", 'noSkippedTests'],
  ['a focused test', 'gateway/src/a.test.ts', "test.only('a', () => {});\n", 'noFocusedTests'],
])('Biome finds %s', async (_name, path, text, rule) => {
  await write(path, text);
  const { ok, text: said } = await lint();
  expect(ok).toBe(false);
  expect(said).toContain(rule);
});

test('Biome finds a cycle, through the #names too', async () => {
  await write('services/platform/src/a.ts', "import { b } from './b.ts';\nexport const a = () => b;\n");
  await write('services/platform/src/b.ts', "import { a } from '#platform/a.ts';\nexport const b = () => a;\n");
  expect((await lint()).text).toContain('noImportCycles');
});

test('Biome has nothing to say against configuration, long tests and short functions', async () => {
  await write('services/giftcards/src/config.ts', 'export const a = process.env.A;\n');
  await write('gateway/src/a.test.ts', `test('a', () => {\n${lines(80)}\n});\n`);
  await write('gateway/src/a.ts', `export function a() {\n${lines(60)}\n}\n`);
  expect(await lint()).toEqual({ ok: true, text: expect.any(String) });
});

test('knip finds an export that nothing but a test uses, and a file that nothing imports', async () => {
  await write('gateway/src/main.ts', "import { used } from './a.ts';\nused();\n");
  await write('gateway/src/a.ts', 'export const used = () => 1;\nexport const testedOnly = () => 2;\n');
  await write('gateway/src/a.test.ts', "import { testedOnly } from './a.ts';\ntestedOnly();\n");
  await write('gateway/src/lonely.ts', 'export const lonely = 1;\n');
  const { ok, text } = await output('knip', ['--production', '--include', 'files,exports']);
  expect(ok).toBe(false);
  expect(text).toContain('testedOnly');
  expect(text).toContain('lonely.ts');
  expect(text).not.toMatch(/\bused\b/);
});

test('knip finds a package that is imported and not named in package.json', async () => {
  await write('gateway/src/main.ts', "import { a } from 'left-pad';\na();\n");
  expect((await output('knip', ['--production', '--include', 'unlisted'])).text).toContain('left-pad');
});
