import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dockerWithEngine, removeContainerAndVolume } from './components/docker.ts';
import { deleteData, isDataDir, nameOf, openDataDir } from './data-dir.ts';
import { StackError } from './progress.ts';
import { stopLeftovers } from './run-file.ts';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function reset(path: string): Promise<void> {
  if (!existsSync(path)) return say(`nothing to delete: there is no ${path}`);
  if (!isDataDir(path)) throw new StackError(`${path} was never used by Tallycard: nothing is deleted`);
  const dataDir = await openDataDir(path);
  try {
    await stopLeftovers(dataDir.file('run.json'), say);
    const docker = await dockerWithEngine();
    const names = ['mongodb', 'redis', 'kafka'].map((component) => `${nameOf(path)}-${component}`);
    if (docker) await Promise.all(names.map((name) => removeContainerAndVolume(docker, name)));
    const left = deleteData(path);
    say(left.length > 0 ? `deleted our data in ${path}; left what is not ours: ${left.join(', ')}` : `deleted ${path}`);
  } finally {
    dataDir.release();
  }
}

try {
  await reset(resolve(process.env.DATA_DIR || '.local'));
} catch (error) {
  say(error instanceof StackError ? error.message : String((error as Error).stack));
  process.exitCode = 1;
}
