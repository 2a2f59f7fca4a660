import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedDir, installOnce } from '../cache-install.ts';
import { findOnPath, run } from '../command.ts';
import { cacheRoot } from '../paths.ts';
import { freePort } from '../ports.ts';
import { kafkaAnswers, type Listener } from '../probes.ts';
import { StackError, withProgress } from '../progress.ts';
import type { ProcessSpec } from '../supervised-process.ts';
import type { Component, ComponentContext } from './component.ts';
import { containerProcess, dockerWithEngine, pullImage } from './docker.ts';
import { clusterId, containerSettings, pomFor, serverProperties } from './kafka-settings.ts';

const version = '4.1.0';
const cacheId = `kafka-${version}`;
const image = `apache/kafka:${version}`;
const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const downloadTimeoutMs = 900_000;
const downloadTriesMax = 2;
const formatTimeoutMs = 60_000;
const readyTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;
// One small broker for one machine: quick to start and small, rather than fast for hours.
const jvmFlags = [
  '-Xms64m',
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:-UsePerfData',
  '-Djava.awt.headless=true',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
];

/** How Kafka's two programs, the broker and the storage formatter, are called. */
interface Launcher {
  broker: string[];
  storage: string[];
  env: NodeJS.ProcessEnv;
}

function jarLauncher(dir: string): Launcher {
  const java = findOnPath('java');
  if (!java) throw new StackError('Kafka needs Java 17 or newer: install a JRE, start Docker, or set KAFKA_BROKERS');
  const jvm = [java, ...jvmFlags, '-cp', join(dir, 'libs', '*')];
  return { broker: [...jvm, 'kafka.Kafka'], storage: [...jvm, 'kafka.tools.StorageTool'], env: process.env };
}

/** A Kafka that is installed on the machine, with or without `.sh` on its scripts. */
function pathLauncher(path: string | undefined, logDir: string): Launcher | undefined {
  for (const suffix of ['.sh', '']) {
    const broker = findOnPath(`kafka-server-start${suffix}`, path);
    const storage = findOnPath(`kafka-storage${suffix}`, path);
    const env = { ...process.env, LOG_DIR: logDir, KAFKA_HEAP_OPTS: '-Xms64m -Xmx256m' };
    if (broker && storage) return { broker: [broker], storage: [storage], env };
  }
  return undefined;
}

async function download(making: string, detail: (text: string) => void, signal?: AbortSignal): Promise<void> {
  if (!findOnPath('mvn') || !findOnPath('java')) {
    throw new StackError(
      'Kafka is fetched with Maven and runs on Java 17: install both, start Docker, or set KAFKA_BROKERS',
    );
  }
  writeFileSync(join(making, 'pom.xml'), pomFor(version));
  // Maven finds its repository by the passwd entry, whatever HOME says; this one is ours, and lasts until it is done.
  const repository = join(cacheRoot(), `${cacheId}.maven`);
  const settings = { outputDirectory: join(making, 'libs'), includeScope: 'runtime', 'maven.repo.local': repository };
  const args = ['-B', '-ntp', copyGoal, ...Object.entries(settings).map(([name, value]) => `-D${name}=${value}`)];
  const onLine = (line: string) => line.startsWith('[INFO] Copying') && detail(line.replace(/^.*libs./, ''));
  for (let tries = 1; ; tries++) {
    try {
      await run('mvn', args, { cwd: making, timeoutMs: downloadTimeoutMs, signal, onLine });
      break;
    } catch (error) {
      // Maven keeps what it got, so a second try only fetches what a hiccup of the network left out.
      if (tries >= downloadTriesMax || signal?.aborted) throw error;
    }
  }
  const launcher = jarLauncher(making);
  const [java = '', ...rest] = launcher.broker;
  await run(java, [...rest, '--version'], { signal });
  rmSync(repository, { recursive: true, force: true });
}

async function install(context: ComponentContext): Promise<string> {
  const program = {
    id: cacheId,
    label: `kafka: getting Apache Kafka ${version} with Maven (once)`,
    build: (making: string, detail: (text: string) => void) => download(making, detail, context.signal),
  };
  return installOnce(program, context.progress, context.signal);
}

/** The directory is made by the formatter last of all, so its meta.properties says that it was formatted whole. */
async function formatOnce(launcher: Launcher, dataDir: string, properties: string): Promise<void> {
  if (existsSync(join(dataDir, 'meta.properties'))) return;
  const [command = '', ...rest] = launcher.storage;
  const args = [...rest, 'format', '--ignore-formatted', '--cluster-id', clusterId, '--config', properties];
  await run(command, args, { env: launcher.env, timeoutMs: formatTimeoutMs });
}

async function localProcess(launcher: Launcher, at: Listener, dir: string): Promise<ProcessSpec> {
  const dataDir = join(dir, 'data');
  const properties = join(dir, 'server.properties');
  mkdirSync(dir, { recursive: true });
  writeFileSync(properties, serverProperties({ ...at, controllerPort: await freePort(), dataDir }));
  const [command = '', ...args] = launcher.broker;
  return {
    name: 'kafka',
    command,
    args: [...args, properties],
    env: launcher.env,
    cwd: dir,
    isReady: () => kafkaAnswers(at),
    readyTimeoutMs: readyTimeoutMs,
    stopTimeoutMs: stopTimeoutMs,
    beforeStart: () => formatOnce(launcher, dataDir, properties),
  };
}

async function inDocker(docker: string, at: Listener, context: ComponentContext): Promise<Component> {
  await withProgress(`kafka: getting image ${image}`, context.progress, (detail) => pullImage(docker, image, detail));
  mkdirSync(context.dir, { recursive: true });
  const process = containerProcess(docker, {
    name: 'kafka',
    containerName: context.containerName,
    image,
    ...at,
    innerPort: 9092,
    volumePath: '/var/lib/kafka/data',
    env: containerSettings(at),
    cwd: context.dir,
    isReady: () => kafkaAnswers(at),
  });
  return { uri: `${at.host}:${at.port}`, port: at.port, process, container: context.containerName };
}

/** Kafka: given, on PATH, in the cache, by Docker, or fetched into the cache, in this order. */
export async function prepareKafka(context: ComponentContext): Promise<Component> {
  if (context.env.KAFKA_BROKERS) return { uri: context.env.KAFKA_BROKERS };
  const port = await freePort(context.host);
  const at = { host: context.host, port };
  const local = async (launcher: Launcher) => {
    return { uri: `${at.host}:${port}`, port, process: await localProcess(launcher, at, context.dir) };
  };
  const onPath = pathLauncher(context.env.PATH, join(context.dir, 'logs'));
  if (onPath) return local(onPath);
  const cached = cachedDir(cacheId);
  if (cached && findOnPath('java')) return local(jarLauncher(cached));
  const docker = await dockerWithEngine();
  if (docker) return inDocker(docker, at, context);
  return local(jarLauncher(await install(context)));
}
