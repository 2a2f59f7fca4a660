import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arrowFaults } from './arrows.ts';
import { importsOf } from './imports.ts';
import { readTree } from './source-tree.ts';
import { isCode, textFaults } from './text-rules.ts';

/**
 * The rules of the repository that neither Biome (biome.json) nor knip (knip.jsonc) knows.
 *
 * @param root - the top of the repository
 * @returns a line for each fault
 */
export function tidyFaults(root: string): string[] {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = readTree(root);
  const arrows = files.filter(isCode).flatMap((file) => importsOf(file, imports));
  return [...arrowFaults(arrows), ...textFaults(files)];
}
