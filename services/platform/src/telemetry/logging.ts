import { pino } from 'pino';
import { createThrottle } from '../throttle.ts';
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
    createLogDestination(1, service),
  );
}

/** What waits to be written while who reads the log is slow. */
const bufferedMax = 8 * 1024 * 1024;
const reportEveryMs = 10_000;

/** Writes in the background to a file descriptor; what is more than the buffer holds is dropped, and counted on standard error. */
export function createLogDestination(fd: number, service: string, report = reportOnStderr): pino.DestinationStream {
  const destination = pino.destination({ dest: fd, sync: false, maxLength: bufferedMax });
  const throttled = createThrottle(reportEveryMs);
  let dropped = 0;
  destination.on('drop', () => {
    dropped += 1;
    throttled(() => report(JSON.stringify({ level: 'warn', service, dropped, msg: 'log lines were dropped' })));
  });
  return destination;
}

function reportOnStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
