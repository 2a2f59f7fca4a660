import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, run } from '../command.ts';
import { StackError } from '../progress.ts';

const stepTimeoutMs = 300_000;
const dependencyKindsLeftOut = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];

/** A program outside the system's own directories. */
export interface ProgramOnDisk {
  command: string;
  env: Record<string, string>;
}

/** Which packages to unpack, and where. */
export interface DebianInstall {
  dir: string;
  /** The program's own packages; the libraries they need and the system lacks are found. */
  packages: string[];
  detail: (text: string) => void;
  signal?: AbortSignal | undefined;
}

/** Package lists and downloads of our own: root is not needed and the system's apt stays as it is. */
function privateAptOptions(aptDir: string): string[] {
  const settings = {
    'Dir::State::Lists': join(aptDir, 'lists'),
    'Dir::Cache': join(aptDir, 'cache'),
    'APT::Sandbox::User': '',
    'Debug::NoLocking': '1',
  };
  mkdirSync(join(aptDir, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(aptDir, 'cache', 'archives', 'partial'), { recursive: true });
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** Names in the output of `apt-cache depends --recurse` that are libraries; what they need of a system is there. */
export function librariesIn(aptCacheOutput: string): string[] {
  const names = aptCacheOutput.split('\n').filter((line) => /^(lib|lua)[a-z0-9.+-]*$/.test(line));
  return [...new Set(names)].sort();
}

async function missingLibraries(install: DebianInstall, apt: string[]): Promise<string[]> {
  const kinds = dependencyKindsLeftOut.map((kind) => `--no-${kind}`);
  const libraries = librariesIn(
    await run('apt-cache', [...apt, 'depends', '--recurse', ...kinds, ...install.packages]),
  );
  const selections = await run('dpkg', ['--get-selections']);
  const installed = new Set(selections.split('\n').map((line) => line.replace(/(:\w+)?\s+install$/, '')));
  return libraries.filter((name) => !installed.has(name));
}

/**
 * Unpacks Debian packages below `dir` without installing them: no service is enabled, no file outside is touched.
 * Where that fails and we are root, `apt-get install` is the last resort.
 *
 * @throws StackError saying what to install where there is no apt
 */
export async function installDebianProgram(install: DebianInstall): Promise<void> {
  if (!findOnPath('apt-get') || !findOnPath('dpkg')) {
    throw new StackError(`no apt-get here: install ${install.packages[0]} so that it is on PATH, or start Docker`);
  }
  try {
    await unpack(install);
  } catch (error) {
    if (process.getuid?.() !== 0 || install.signal?.aborted) throw error;
    install.detail('apt-get install');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const bounds = { timeoutMs: stepTimeoutMs, signal: install.signal };
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...install.packages], { ...bounds, env });
  }
}

async function unpack(install: DebianInstall): Promise<void> {
  const { dir, detail, signal } = install;
  const bounds = { timeoutMs: stepTimeoutMs, signal };
  const debs = join(dir, 'debs');
  mkdirSync(debs);
  const apt = privateAptOptions(join(dir, 'apt'));
  detail('reading package lists');
  await run('apt-get', [...apt, 'update'], bounds);
  const wanted = [...install.packages, ...(await missingLibraries(install, apt))];
  detail(`downloading ${wanted.length} packages`);
  await run('apt-get', [...apt, 'download', ...wanted], { ...bounds, cwd: debs });
  for (const deb of readdirSync(debs)) await run('dpkg', ['-x', join(debs, deb), join(dir, 'root')], bounds);
  await run('rm', ['-rf', debs, join(dir, 'apt')]);
}

/** The program as unpacked below `dir`, or else the system's own. */
export function programIn(dir: string, name: string): ProgramOnDisk {
  const root = join(dir, 'root');
  const command = [join(root, 'usr', 'bin', name), join(root, 'usr', 'sbin', name)].find((file) => existsSync(file));
  if (!command) return { command: findOnPath(name) ?? name, env: {} };
  return { command, env: { LD_LIBRARY_PATH: libraryDirs(join(root, 'usr', 'lib')).join(':') } };
}

/** usr/lib itself and the one below it that is named after the machine, as x86_64-linux-gnu. */
function libraryDirs(lib: string): string[] {
  if (!existsSync(lib)) return [];
  const machineDirs = readdirSync(lib).filter((name) => name.endsWith('-linux-gnu') || name.includes('-linux-gnueabi'));
  return [...machineDirs.map((name) => join(lib, name)), lib];
}
