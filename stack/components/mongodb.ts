import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cachedDir, installOnce } from '../cache-install.ts';
import { findOnPath, run } from '../command.ts';
import { cacheRoot } from '../paths.ts';
import { freePort } from '../ports.ts';
import { type Listener, mongodbAnswers } from '../probes.ts';
import { StackError, withProgress } from '../progress.ts';
import type { ProcessSpec } from '../supervised-process.ts';
import type { Component, ComponentContext } from './component.ts';
import { containerProcess, dockerWithEngine, pullImage } from './docker.ts';
import { ensurePrimary } from './replica-set.ts';

const crate = 'secantus-mdb';
const crateVersion = '0.5.3-beta.196';
const binary = 'secantusd-rs';
const cacheId = `${crate}-${crateVersion}`;
const image = 'mongo:8';
const buildTimeoutMs = 3_600_000;
const readyTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;

/** One node that is its own replica set: only a direct connection works whatever name and port the set knows. */
function uriFor({ host, port }: Listener): string {
  return `mongodb://${host}:${port}/?directConnection=true`;
}

function localProcess(command: string, args: string[], dir: string, isReady: () => Promise<boolean>): ProcessSpec {
  return {
    name: 'mongodb',
    command,
    args,
    env: process.env,
    cwd: dir,
    isReady,
    readyTimeoutMs: readyTimeoutMs,
    stopTimeoutMs: stopTimeoutMs,
  };
}

/** SecantusDB, with every commit synced: without that a kill -9 lost acknowledged writes. */
function secantusProcess(command: string, at: Listener, parentDir: string): ProcessSpec {
  const dir = join(parentDir, 'secantus');
  mkdirSync(dir, { recursive: true });
  const bind = ['--host', at.host, '--port', String(at.port)];
  const args = ['--sync-on-commit', '--cache-size', '256M', '--log-level', 'WARNING', '--storage-path', dir, ...bind];
  return localProcess(command, args, dir, () => mongodbAnswers(at, true));
}

function mongodProcess(command: string, at: Listener, parentDir: string): ProcessSpec {
  const dir = join(parentDir, 'mongod');
  mkdirSync(dir, { recursive: true });
  const bind = ['--bind_ip', at.host, '--port', String(at.port)];
  const args = ['--dbpath', dir, '--replSet', 'tallycard', '--wiredTigerCacheSizeGB', '0.25', '--quiet', ...bind];
  return localProcess(command, args, dir, async () => {
    return (await mongodbAnswers(at, false)) && ensurePrimary(uriFor(at), `${at.host}:${at.port}`);
  });
}

async function build(making: string, detail: (text: string) => void, signal?: AbortSignal): Promise<void> {
  if (!findOnPath('cargo')) {
    throw new StackError(
      'no mongod on PATH, no Docker engine and no cargo to build a MongoDB server with: install one of the three (Rust: rustup.rs) or set MONGODB_URI',
    );
  }
  // Kept when it is interrupted: the next try goes on where this one stopped.
  const targetDir = join(cacheRoot(), `${cacheId}.target`);
  const args = ['install', crate, '--version', crateVersion, '--ignore-rust-version', '--root', making];
  await run('cargo', args, {
    env: { ...process.env, CARGO_TARGET_DIR: targetDir, CARGO_TERM_COLOR: 'never' },
    timeoutMs: buildTimeoutMs,
    signal,
    onLine: detail,
  });
  await run(join(making, 'bin', binary), ['--version'], { signal });
  rmSync(targetDir, { recursive: true, force: true });
}

async function install(context: ComponentContext): Promise<string> {
  const program = {
    id: cacheId,
    label: 'mongodb: building SecantusDB, a MongoDB-compatible server (once; 4 to 6 min on 2 cores)',
    build: (making: string, detail: (text: string) => void) => build(making, detail, context.signal),
  };
  return join(await installOnce(program, context.progress, context.signal), 'bin', binary);
}

async function inDocker(docker: string, at: Listener, context: ComponentContext): Promise<Component> {
  await withProgress(`mongodb: getting image ${image}`, context.progress, (detail) => pullImage(docker, image, detail));
  mkdirSync(context.dir, { recursive: true });
  const innerPort = 27017;
  const process = containerProcess(docker, {
    name: 'mongodb',
    containerName: context.containerName,
    image,
    ...at,
    innerPort,
    volumePath: '/data/db',
    args: ['--replSet', 'tallycard', '--wiredTigerCacheSizeGB', '0.25', '--quiet'],
    cwd: context.dir,
    isReady: async () => {
      return (await mongodbAnswers(at, false)) && ensurePrimary(uriFor(at), `127.0.0.1:${innerPort}`);
    },
  });
  return { uri: uriFor(at), port: at.port, process, container: context.containerName };
}

/** MongoDB: given, on PATH, in the cache, by Docker, or built into the cache, in this order. */
export async function prepareMongodb(context: ComponentContext): Promise<Component> {
  if (context.env.MONGODB_URI) return { uri: context.env.MONGODB_URI };
  const port = await freePort(context.host);
  const at = { host: context.host, port };
  const uri = uriFor(at);
  const mongod = findOnPath('mongod', context.env.PATH);
  if (mongod) return { uri, port, process: mongodProcess(mongod, at, context.dir) };
  const cached = cachedDir(cacheId);
  const secantus = findOnPath(binary, context.env.PATH) ?? (cached && join(cached, 'bin', binary));
  if (secantus) return { uri, port, process: secantusProcess(secantus, at, context.dir) };
  const docker = await dockerWithEngine();
  if (docker) return inDocker(docker, at, context);
  return { uri, port, process: secantusProcess(await install(context), at, context.dir) };
}
