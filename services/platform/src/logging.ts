import { pino } from 'pino';

/** The few methods our code logs through; `pino` in production, a collector in tests. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A JSON logger on standard output, one line an event, with the service's name. Values under secret-bearing names are cut. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['*.cardNumber', '*.securityCode', '*.password', '*.passwordHash', '*.sharedSecret', '*.authorization'],
      censor: '[secret]',
    },
  });
}
