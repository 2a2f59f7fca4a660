import { findOnPath, run } from '../command.ts';
import type { ProcessSpec } from '../supervised-process.ts';
import type { ComponentName } from './component.ts';

const infoTimeoutMs = 5_000;
const pullTimeoutMs = 900_000;
const stopTimeoutMs = 15_000;
const readyTimeoutMs = 60_000;

let enginePromise: Promise<string | undefined> | undefined;

/** The docker command if an engine answers it within a few seconds. Asked once: a start asks for three components. */
export function dockerWithEngine(): Promise<string | undefined> {
  enginePromise ??= (async () => {
    const docker = findOnPath('docker');
    if (!docker) return undefined;
    const answer = run(docker, ['info'], { timeoutMs: infoTimeoutMs });
    return answer.then(
      () => docker,
      () => undefined,
    );
  })();
  return enginePromise;
}

/** One container that stands in for a server. */
export interface ContainerOptions {
  name: ComponentName;
  containerName: string;
  image: string;
  /** Published there only. */
  host: string;
  port: number;
  innerPort: number;
  /** Where the image keeps its data. Left out, nothing is kept. */
  volumePath?: string;
  env?: Record<string, string>;
  args?: string[];
  cwd: string;
  isReady: () => Promise<boolean>;
}

/** Removes a container by its name; nothing happens if there is none. */
export async function removeContainer(docker: string, name: string): Promise<void> {
  await run(docker, ['rm', '--force', name], { timeoutMs: stopTimeoutMs }).catch(() => {});
}

/** Removes a container and its data. */
export async function removeContainerAndVolume(docker: string, name: string): Promise<void> {
  await removeContainer(docker, name);
  await run(docker, ['volume', 'rm', '--force', name], { timeoutMs: stopTimeoutMs }).catch(() => {});
}

/** The words after `docker` that run the container in the foreground. */
export function containerArgs(options: ContainerOptions): string[] {
  return [
    'run',
    '--rm',
    '--name',
    options.containerName,
    '--publish',
    `${options.host}:${options.port}:${options.innerPort}`,
    ...(options.volumePath ? ['--volume', `${options.containerName}:${options.volumePath}`] : []),
    ...Object.entries(options.env ?? {}).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    options.image,
    ...(options.args ?? []),
  ];
}

/**
 * A container run by a docker client in the foreground: the client passes SIGTERM on and ends with the container.
 * A client that was killed leaves its container, so the name is freed before each start.
 */
export function containerProcess(docker: string, options: ContainerOptions): ProcessSpec {
  return {
    name: options.name,
    command: docker,
    args: containerArgs(options),
    env: process.env,
    cwd: options.cwd,
    isReady: options.isReady,
    readyTimeoutMs: readyTimeoutMs,
    stopTimeoutMs: stopTimeoutMs,
    beforeStart: () => removeContainer(docker, options.containerName),
  };
}

/** Gets an image if it is not there yet. */
export async function pullImage(docker: string, image: string, onLine: (line: string) => void): Promise<void> {
  const isThere = await run(docker, ['image', 'inspect', image], { timeoutMs: infoTimeoutMs }).then(
    () => true,
    () => false,
  );
  if (!isThere) await run(docker, ['pull', image], { timeoutMs: pullTimeoutMs, onLine });
}
