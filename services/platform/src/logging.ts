import { pino } from 'pino';
import { withoutSecrets } from './without-secrets.ts';

/** The few methods our code logs through; `pino` in production, a collector in tests. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines of a level are written, for what is costly to put together; absent: all are. */
  isLevelEnabled?(level: 'debug' | 'info'): boolean;
}

/**
 * A JSON logger on standard output, one line an event, with the service's name. Lines are written in the background and
 * the rest at exit. As a last resort, what looks like a secret is cut out of every line.
 */
export function createLogger(service: string, level: string): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    pino.destination({ dest: 1, sync: false }),
  );
}
