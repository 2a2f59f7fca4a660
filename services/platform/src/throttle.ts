/** Does what it is given at most once in `everyMs`, and drops the rest. */
export function createThrottle(everyMs: number): (work: () => void) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (work) => {
    const now = performance.now();
    if (now - lastAt < everyMs) return;
    lastAt = now;
    work();
  };
}
