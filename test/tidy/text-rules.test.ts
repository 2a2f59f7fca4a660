import { expect, test } from '@jest/globals';
import { textFaults } from './text-rules.ts';

test.each([
  ['README.md', 'npm config set registry https://registry.npmjs.org', 'registry'],
  ['stack/a.ts', "const host = 'https://static.crates.io';", 'registry'],
  ['stack/a.ts', "const host = 'https://repo1.maven.org/maven2';", 'registry'],
  ['stack/a.ts', "const host = 'https://deb.debian.org';", 'registry'],
  ['package-lock.json', '      "resolved": "https://example.org/a.tgz",', 'came from'],
  ['services/a.ts', '// TODO: later', 'later'],
  ['docs/a.md', 'FIXME', 'later'],
  ['services/a.ts', '// biome-ignore lint: because', 'turns a rule off'],
  ['services/a.ts', '// @ts-expect-error', 'turns a rule off'],
  ['services/a.ts', 'const a = b as any;', 'casts'],
  ['services/a.test.ts', "  it.skip('x', () => {});", 'skips'],
  ['services/a.test.ts', "test.only.each([1])('x', () => {});", 'skips'],
  ['services/a.test.ts', "xdescribe('x', () => {});", 'skips'],
  ['services/a.ts', "const file = '/home/ann/x';", 'one machine'],
])('%s: %s', (path, line, why) => {
  expect(textFaults([{ path, text: `first line\n${line}\n` }])).toEqual([
    expect.stringMatching(new RegExp(`^${path}:2 .*${why}`)),
  ]);
});

test.each([
  ['stack/a.ts', 'xmlns="http://maven.apache.org/POM/4.0.0"'],
  ['package-lock.json', '      "homepage": "https://crates.io",'],
  ['services/a.ts', "import { skip } from './work/home.ts';"],
])('%s may say: %s', (path, line) => {
  expect(textFaults([{ path, text: line }])).toEqual([]);
});
