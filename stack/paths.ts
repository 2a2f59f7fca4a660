import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository. */
export const repoRoot = fileURLToPath(new URL('..', import.meta.url));

/** Where installed components live, shared by all clones of this user. */
export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tallycard');
}
