// The helm that the chart is checked with: what is on PATH, else one built into the per-user cache.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { cachedDir, installOnce } from '#stack/cache-install.ts';
import { findOnPath, run } from '#stack/command.ts';
import { repoRoot } from '#stack/paths.ts';
import { type Progress, StackError } from '#stack/progress.ts';

const version = '3.21.4';
const cacheId = `helm-${version}`;
const buildTimeoutMs = 1_800_000;
const commandTimeoutMs = 60_000;
const outputBytesMax = 8 * 1024 * 1024;

/** Where the chart is. */
export const chartDir = join(repoRoot, 'charts', 'tallycard');

async function build(making: string, detail: (text: string) => void): Promise<void> {
  const go = findOnPath('go');
  if (!go) throw new StackError('no helm on PATH and no go to build it with: install one of the two');
  const stamped = `-s -w -X helm.sh/helm/v3/internal/version.version=v${version}`;
  await run(go, ['install', '-trimpath', '-ldflags', stamped, `helm.sh/helm/v3/cmd/helm@v${version}`], {
    env: { ...process.env, GOBIN: making, CGO_ENABLED: '0' },
    timeoutMs: buildTimeoutMs,
    onLine: detail,
  });
  await run(join(making, 'helm'), ['version']);
}

/**
 * Finds helm 3, or builds it once.
 *
 * @throws StackError when there is neither helm nor go
 */
export async function findHelm(progress: Progress): Promise<string> {
  const onPath = findOnPath('helm');
  if (onPath && /^v3\./.test(await run(onPath, ['version', '--template', '{{.Version}}']))) return onPath;
  const label = `helm: building ${version} (once; 3 to 6 min on 2 cores)`;
  const dir = cachedDir(cacheId) ?? (await installOnce({ id: cacheId, label, build }, progress, undefined));
  return join(dir, 'helm');
}

let found: Promise<string> | undefined;

/**
 * Runs helm to its end, away from the user's clusters and plug-ins.
 *
 * @returns what it prints
 * @throws StackError with what it says if it fails
 */
export async function helm(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  found ??= findHelm((line) => process.stderr.write(`${line}\n`));
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
