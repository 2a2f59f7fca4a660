// node stack/complete-lock.mjs: run it after `npm install <package>`.
// Some registries lack a few platforms of a native package. npm then leaves these optional packages out of
// package-lock.json without a word, and from then on `npm ci` refuses the lock everywhere. This adds them.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const platformName =
  /[-/](android|darwin|freebsd|linux|openharmony|win32)-(arm64|armv7|arm|ia32|loong64|ppc64|riscv64|s390x|x64)(?:-(\w+))?$/;

/** The directories in which Node looks for what the package at `path` requires, nearest first. */
function lookupPaths(path, name) {
  const parts = path.split('/node_modules/');
  const dirs = parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'));
  return [...dirs.filter(Boolean).map((dir) => `${dir}/node_modules/${name}`), `node_modules/${name}`];
}

function entryFor(name, version, isDev) {
  const [, os, cpu, abi = ''] = platformName.exec(name) ?? [];
  if (!os) throw new Error(`package-lock.json lacks ${name}@${version}, and its name does not tell the platform`);
  const libc = abi.startsWith('musl') ? 'musl' : 'glibc';
  return {
    version,
    cpu: [cpu === 'armv7' ? 'arm' : cpu],
    ...(isDev && { dev: true }),
    ...(os === 'linux' && abi && { libc: [libc] }),
    optional: true,
    os: [os],
  };
}

/** Adds the missing entries to a parsed lock and returns their names. */
export function completeLock(lock) {
  const added = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (lookupPaths(path, name).some((candidate) => lock.packages[candidate])) continue;
      added[`node_modules/${name}`] = entryFor(name, version, entry.dev);
    }
  }
  const all = Object.entries({ ...lock.packages, ...added });
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')));
  return Object.keys(added);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const added = completeLock(lock);
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${added.length} optional packages added\n`);
}
