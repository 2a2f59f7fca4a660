import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage once, as the last step of a start: parsed sources and built schemas leave some 25 MB that V8 would
 * otherwise keep until load comes. Measured: 132 → 106 MB resident for the gateway.
 */
export function releaseStartupMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
