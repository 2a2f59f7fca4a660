import { mkdirSync } from 'node:fs';
import { cachedDir, installOnce } from '../cache-install.ts';
import { findOnPath, run } from '../command.ts';
import { freePort } from '../ports.ts';
import { type Listener, redisAnswers } from '../probes.ts';
import { withProgress } from '../progress.ts';
import type { Component, ComponentContext } from './component.ts';
import { installDebianProgram, type ProgramOnDisk, programIn } from './debian-packages.ts';
import { containerProcess, dockerWithEngine, pullImage } from './docker.ts';

const cacheId = 'redis-debian-1';
const image = 'redis:7';
const readyTimeoutMs = 15_000;
const stopTimeoutMs = 5_000;
// Locks, limits and the fan-out of revocations: nothing that has to outlive Redis itself.
const keepNothing = ['--save', '', '--appendonly', 'no'];

async function install(context: ComponentContext): Promise<ProgramOnDisk> {
  const build = async (dir: string, detail: (text: string) => void) => {
    await installDebianProgram({ dir, packages: ['redis-server', 'redis-tools'], detail, signal: context.signal });
    const { command, env } = programIn(dir, 'redis-server');
    await run(command, ['--version'], { env: { ...process.env, ...env } });
  };
  const label = "redis: installing Debian's redis-server";
  const dir = await installOnce({ id: cacheId, label, build }, context.progress, context.signal);
  return programIn(dir, 'redis-server');
}

/** Without a password Redis talks to loopback only, unless it is told that it may. */
function openTo(host: string): string[] {
  return host === '127.0.0.1' ? [] : ['--protected-mode', 'no'];
}

function localProcess(program: ProgramOnDisk, at: Listener, dir: string): Component['process'] {
  mkdirSync(dir, { recursive: true });
  return {
    name: 'redis',
    command: program.command,
    args: ['--port', String(at.port), '--bind', at.host, ...openTo(at.host), '--dir', dir, ...keepNothing],
    env: { ...process.env, ...program.env },
    cwd: dir,
    isReady: () => redisAnswers(at),
    readyTimeoutMs: readyTimeoutMs,
    stopTimeoutMs: stopTimeoutMs,
  };
}

/** Redis: given, on PATH, in the cache, by Docker, or installed into the cache, in this order. */
export async function prepareRedis(context: ComponentContext): Promise<Component> {
  if (context.env.REDIS_URL) return { uri: context.env.REDIS_URL };
  const { host } = context;
  const port = await freePort(host);
  const at = { host, port };
  const uri = `redis://${host}:${port}`;
  const local = (program: ProgramOnDisk) => ({ uri, port, process: localProcess(program, at, context.dir) });

  const onPath = findOnPath('redis-server', context.env.PATH);
  if (onPath) return local({ command: onPath, env: {} });
  const cached = cachedDir(cacheId);
  if (cached) return local(programIn(cached, 'redis-server'));
  const docker = await dockerWithEngine();
  if (!docker) return local(await install(context));

  await withProgress(`redis: getting image ${image}`, context.progress, (detail) => pullImage(docker, image, detail));
  mkdirSync(context.dir, { recursive: true });
  const process = containerProcess(docker, {
    name: 'redis',
    containerName: context.containerName,
    image,
    ...at,
    innerPort: 6379,
    args: ['redis-server', ...keepNothing],
    cwd: context.dir,
    isReady: () => redisAnswers(at),
  });
  return { uri, port, process, container: context.containerName };
}
