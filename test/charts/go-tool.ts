import { join } from 'node:path';
import { cachedDir, installOnce } from '#stack/cache-install.ts';
import { findOnPath, run } from '#stack/command.ts';
import { type Progress, StackError } from '#stack/progress.ts';

const buildTimeoutMs = 1_800_000;

/** A program that a Go module has. */
export interface GoTool {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** How long the first build takes, for people. */
  readonly takes: string;
  /** Settings of variables at link time, as in `path/to/package.name=value`. */
  readonly variables?: readonly string[];
}

/**
 * Builds a program into the per-user cache, once.
 *
 * @returns its file
 * @throws StackError when there is no go
 */
export async function buildGoTool(tool: GoTool, progress: Progress): Promise<string> {
  const id = `${tool.name}-${tool.version}`;
  const build = async (making: string, detail: (text: string) => void) => {
    const go = findOnPath('go');
    if (!go) throw new StackError(`no go to build ${tool.name} with: install Go`);
    const flags = ['-s', '-w', ...(tool.variables ?? []).flatMap((each) => ['-X', each])].join(' ');
    await run(go, ['install', '-trimpath', '-ldflags', flags, `${tool.package}@v${tool.version}`], {
      env: { ...process.env, GOBIN: making, CGO_ENABLED: '0' },
      timeoutMs: buildTimeoutMs,
      onLine: detail,
    });
    await run(join(making, tool.name), ['--help']);
  };
  const label = `${tool.name}: building ${tool.version} (once; ${tool.takes} on 2 cores)`;
  const dir = cachedDir(id) ?? (await installOnce({ id, label, build }, progress, undefined));
  return join(dir, tool.name);
}
