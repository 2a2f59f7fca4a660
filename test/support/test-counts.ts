/** What came of a run. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** What we read of the results that `jest --json` writes. */
export interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly wasInterrupted: boolean;
}

/** A test file that does not even run counts as one failure, and so does a run that was cut short. */
export function countsOf(results: JestResults): Counts {
  const interrupted = results.wasInterrupted ? 1 : 0;
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites + interrupted,
  };
}

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** The one line that everything that runs tests ends with. */
export function summaryLine({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}
