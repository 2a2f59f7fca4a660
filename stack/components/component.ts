import type { Progress } from '../progress.ts';
import type { ProcessSpec } from '../supervised-process.ts';

/** The three servers that the services need. */
export type ComponentName = 'mongodb' | 'redis' | 'kafka';

/** What a component is prepared with. */
export interface ComponentContext {
  /** Its own directory in DATA_DIR; need not exist yet. */
  dir: string;
  env: NodeJS.ProcessEnv;
  /** The address to listen on, and to be reached at. */
  host: string;
  progress: Progress;
  signal?: AbortSignal | undefined;
  /** Name for a container and its volume, the same for every start on one DATA_DIR. */
  containerName: string;
}

/** A component that is ready to be started, or that was given and only has to be used. */
export interface Component {
  /** For the services: a URI, or a comma separated list of brokers. */
  uri: string;
  port?: number;
  /** Left out for a server that was given by environment. */
  process?: ProcessSpec;
  /** Set when Docker runs it. */
  container?: string;
}
