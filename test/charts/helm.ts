// The helm that the chart is checked with: what is on PATH, else one built into the per-user cache.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { findOnPath, run } from '#stack/command.ts';
import { repoRoot } from '#stack/paths.ts';
import { StackError } from '#stack/progress.ts';
import { buildGoTool, type GoTool } from './go-tool.ts';

const version = '3.21.4';
const tool: GoTool = {
  name: 'helm',
  package: 'helm.sh/helm/v3/cmd/helm',
  version,
  takes: '3 to 6 min',
  variables: [`helm.sh/helm/v3/internal/version.version=v${version}`],
};
const commandTimeoutMs = 60_000;
const outputBytesMax = 8 * 1024 * 1024;

/** Where the chart is. */
export const chartDir = join(repoRoot, 'charts', 'tallycard');

async function findHelm(): Promise<string> {
  const onPath = findOnPath('helm');
  if (onPath && /^v3\./.test(await run(onPath, ['version', '--template', '{{.Version}}']))) return onPath;
  return buildGoTool(tool, (line) => process.stderr.write(`${line}\n`));
}

let found: Promise<string> | undefined;

/**
 * Runs helm 3 to its end, away from the user's clusters and plug-ins.
 *
 * @returns what it prints
 * @throws StackError with what it says if it fails
 */
export async function helm(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  found ??= findHelm();
  const file = await found;
  const options = {
    env: { ...process.env, KUBECONFIG: '/dev/null', HELM_PLUGINS: '/dev/null', ...env },
    timeout: commandTimeoutMs,
    maxBuffer: outputBytesMax,
  };
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new StackError(`helm ${args[0]}: ${`${stdout}${stderr}`.trim() || error.message}`));
    });
  });
}
