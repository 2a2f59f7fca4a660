import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDataDir, readJson } from './data-dir.ts';
import { repoRoot } from './paths.ts';
import { isAlive } from './process-identity.mjs';
import type { RunFile } from './run-file.ts';
import { startComponents } from './stack.ts';

const main = join(repoRoot, 'services', 'giftcards', 'src', 'verify-ledger-main.ts');

/** Runs the check on one database and hands its exit code on. */
function verify(env: NodeJS.ProcessEnv): number {
  return spawnSync(process.execPath, [main], { env, stdio: 'inherit', cwd: repoRoot }).status ?? 1;
}

/**
 * Checks the ledger of what MONGODB_URI names; else of the stack that runs on DATA_DIR; else of the stopped stack's
 * data, for which its database alone is started.
 */
async function verifyLedger(path: string): Promise<number> {
  if (process.env.MONGODB_URI) return verify(process.env);
  if (!existsSync(path) || !isDataDir(path)) {
    process.stderr.write(`there is no data in ${path}: run npm start first, or set MONGODB_URI or DATA_DIR\n`);
    return 1;
  }
  const run = readJson<RunFile>(join(path, 'run.json'));
  if (run?.starter && isAlive(run.starter)) return verify({ ...process.env, ...run.env });
  const stack = await startComponents({ dataDir: path, components: ['mongodb'] });
  try {
    return verify({ ...process.env, MONGODB_URI: stack.uris.mongodbUri });
  } finally {
    await stack.stop();
  }
}

process.exitCode = await verifyLedger(resolve(process.env.DATA_DIR || '.local'));
