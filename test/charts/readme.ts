import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repoRoot } from '#stack/paths.ts';
import { buildGoTool, type GoTool } from './go-tool.ts';
import { chartDir } from './helm.ts';

const tool: GoTool = {
  name: 'helm-docs',
  package: 'github.com/norwoodj/helm-docs/cmd/helm-docs',
  version: '1.14.2',
  takes: 'half a minute',
};
const timeoutMs = 60_000;

/** The chart's README.md. */
export const readmeFile = join(chartDir, 'README.md');

/** What it should be: README.md.gotmpl with the table of values.yaml. */
export async function makeReadme(): Promise<string> {
  const file = await buildGoTool(tool, (line) => process.stderr.write(`${line}\n`));
  const args = ['--chart-search-root', join(repoRoot, 'charts'), '--sort-values-order', 'file', '--dry-run'];
  const { stdout } = await promisify(execFile)(file, [...args, '--log-level', 'error'], { timeout: timeoutMs });
  return `${stdout.trim()}\n`;
}

/** Says whether README.md is not what its template and values.yaml make. */
export async function readmeFaults(): Promise<string[]> {
  const stale = (await makeReadme()) !== readFileSync(readmeFile, 'utf8');
  return stale ? ['charts/tallycard/README.md is not what helm-docs makes: run `npm run generate`'] : [];
}
