import { startTracing, stopTracing } from '../telemetry/tracing.ts';
import { ConfigError, type Env } from './env.ts';
import { releaseStartupMemory } from './memory.ts';

/** A constructed service: nothing runs before `start`, nothing is left after `stop`. */
export interface App {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** How long `stop` may take before the process ends in the middle of it; 28 s when not given. */
  readonly stopMsMax?: number;
}

/** Below the half minute after which Kubernetes kills. */
const stopMsMaxDefault = 28_000;
/** What STOP_DRAIN_MS may be, so that time is left to finish what is under way. */
export const stopDrainMsMax = 10_000;

/**
 * Runs a service until SIGTERM or SIGINT, or until the parent that started it with an IPC channel is gone; with tracing
 * under its name when that is set up.
 * Exit codes: 0 stopped as asked, 1 failed, 78 (EX_CONFIG) bad configuration.
 */
export async function runService<Config>(
  name: string,
  readConfig: (env: Env) => Config,
  createApp: (config: Config) => App,
): Promise<void> {
  let app: App;
  try {
    app = createApp(readConfig(process.env));
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : String((error as Error).stack)}\n`);
    process.exit(error instanceof ConfigError ? 78 : 1);
  }
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), app.stopMsMax ?? stopMsMaxDefault).unref();
    app
      .stop()
      .finally(stopTracing)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`stop failed: ${String(error)}\n`);
          process.exit(1);
        },
      );
  };
  process.once('SIGTERM', stop).once('SIGINT', stop).once('disconnect', stop);
  try {
    await startTracing(name, process.env);
    await app.start();
    releaseStartupMemory();
  } catch (error) {
    process.stderr.write(`start failed: ${String((error as Error).stack)}\n`);
    process.exit(1);
  }
}
