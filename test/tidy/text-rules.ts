import type { SourceFile } from './source-tree.ts';

interface TextRule {
  readonly why: string;
  readonly found: RegExp;
  /** Only files whose path matches; all if left out. */
  readonly among?: RegExp;
}

const code = /\.(ts|mts|cts|js|mjs|cjs|tsx)$/;

const rules: TextRule[] = [
  {
    why: 'names a package registry: the user configures theirs',
    found:
      /\b(npmjs\.(org|com)|yarnpkg\.com|crates\.io|repo1?\.maven|proxy\.golang\.org|debian\.org|pypi\.org|pythonhosted\.org)/i,
    among: /^(?!package-lock\.json$)/,
  },
  {
    why: 'says where a package came from: npm ci would ask that host',
    found: /"resolved":/,
    among: /^package-lock\.json$/,
  },
  { why: 'leaves work for later: do it, or open an issue', found: /\b(TODO|FIXME)\b/ },
  {
    why: 'turns a rule off: change the rule, or the code',
    found: /(biome-ignore|@ts-ignore|@ts-nocheck|@ts-expect-error|eslint-disable)/,
  },
  { why: 'casts the type away', found: /\bas any\b/, among: code },
  {
    why: 'skips a test or runs only one',
    found: /^\s*(x(it|test|describe)|f(it|describe)|(it|test|describe)\.(skip|only|todo)(\.each)?)\b/,
    among: code,
  },
  { why: 'names a path of one machine', found: /(^|[\s'"`(=])\/(work|home|Users)\/[a-z]/ },
];

/** The rules themselves, their tests, and texts of others. */
const notRead = /^(test\/tidy\/|LICENSE$)/;

/** A line for each place where a text rule is broken. */
export function textFaults(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const apply = notRead.test(path) ? [] : rules.filter(({ among }) => among?.test(path) ?? true);
    return text.split('\n').flatMap((line, index) => {
      return apply.filter(({ found }) => found.test(line)).map(({ why }) => `${path}:${index + 1} ${why}`);
    });
  });
}

/** Whether a file is program text. */
export function isCode({ path }: SourceFile): boolean {
  return code.test(path);
}
