import { addCounts, countsOf, summaryLine } from './test-counts.ts';

const clean = { numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 0, wasInterrupted: false };

test('passes and failures are taken over', () => {
  expect(countsOf({ ...clean, numFailedTests: 2 })).toEqual({ passed: 3, failed: 2 });
});

test('a test file that fails to run is a failure', () => {
  expect(countsOf({ ...clean, numRuntimeErrorTestSuites: 1 })).toEqual({ passed: 3, failed: 1 });
});

test('a run that was cut short is a failure', () => {
  expect(countsOf({ ...clean, wasInterrupted: true })).toEqual({ passed: 3, failed: 1 });
});

test('two runs add up to one line', () => {
  const total = addCounts({ passed: 3, failed: 0 }, { passed: 2, failed: 1 });
  expect(summaryLine(total)).toBe('5 passed, 1 failed');
});
