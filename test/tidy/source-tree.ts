import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file of the repository. */
export interface SourceFile {
  /** Seen from the top, with slashes. */
  readonly path: string;
  readonly text: string;
}

const leftOut = new Set(['node_modules', '.git', '.local', 'coverage', 'proto/gen']);
const notText = /\.(png|jpe?g|webp|gif|ico|woff2?|pdf|p12|zip|gz|log)$/;

function* pathsUnder(root: string, directory: string): Generator<string> {
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
    if (leftOut.has(entry.name) || leftOut.has(path)) continue;
    if (entry.isDirectory()) yield* pathsUnder(root, path);
    else if (entry.isFile() && !notText.test(path)) yield path;
  }
}

/** Every text file under `root` that a person wrote, and package-lock.json. */
export function readTree(root: string): SourceFile[] {
  return [...pathsUnder(root, '')].sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
