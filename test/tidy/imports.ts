import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { SourceFile } from './source-tree.ts';

/** One file's use of another file or of a package. */
export interface Import {
  readonly from: string;
  /** A path in the repository, or the name of a package as it is imported. */
  readonly to: string;
  /** Gone when the types are stripped. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** package.json's `imports` with a `*` at the end of both sides. */
export type ImportNames = Readonly<Record<string, string>>;

function resolve(from: string, specifier: string, names: ImportNames): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  for (const [name, target] of Object.entries(names)) {
    const prefix = name.slice(0, -1);
    if (specifier.startsWith(prefix)) return posix.join(target.slice(0, -1), specifier.slice(prefix.length));
  }
  return specifier;
}

/** All imports of one TypeScript or JavaScript file: static, dynamic and re-exports. */
export function importsOf({ path, text }: SourceFile, names: ImportNames): Import[] {
  const { module } = parseSync(path, text);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const found = (specifier: string, start: number, typeOnly: boolean): Import => ({
    from: path,
    to: resolve(path, specifier, names),
    typeOnly,
    line: lineAt(start),
  });
  const isType = (entries: readonly { isType: boolean }[]) => entries.length > 0 && entries.every((e) => e.isType);
  const statics = module.staticImports.map((i) => found(i.moduleRequest.value, i.start, isType(i.entries)));
  const reExports = module.staticExports.flatMap(({ entries, start }) => {
    const request = entries[0]?.moduleRequest;
    return request ? [found(request.value, start, isType(entries))] : [];
  });
  const dynamics = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^(['"`])(.*)\1$/.exec(text.slice(start, end));
    return literal?.[2] === undefined ? [] : [found(literal[2], start, false)];
  });
  return [...statics, ...reExports, ...dynamics];
}
