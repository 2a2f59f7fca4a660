import { openSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createLogDestination } from './logging.ts';

test('lines over what the buffer holds are dropped and counted, and memory stays bounded', () => {
  const reports: string[] = [];
  // Nothing is written before the event loop turns, as with a reader that has stopped reading.
  const destination = createLogDestination(openSync('/dev/null', 'w'), 'test', (line) => reports.push(line));
  const line = `${'x'.repeat(1024 * 1024)}\n`;
  for (let count = 0; count < 20; count += 1) destination.write(line);
  expect(reports.map((report) => JSON.parse(report) as object)).toEqual([
    { level: 'warn', service: 'test', dropped: 1, msg: 'log lines were dropped' },
  ]);
});
