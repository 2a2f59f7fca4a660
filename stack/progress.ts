/** Takes one line of news for whoever waits. */
export type Progress = (line: string) => void;

const heartbeatMs = 10_000;

/** What is the user's to put right: shown as it is, without a stack trace. */
export class StackError extends Error {
  override name = 'StackError';
}

/** Seconds since `startedAtMs`, for people. */
export function elapsed(startedAtMs: number): string {
  return `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`;
}

/**
 * Says when a long step begins and ends, and every ten seconds that it still goes on.
 *
 * @param label - what is done, as in `mongodb: building SecantusDB`
 * @param step - the work; what it passes to `detail` is shown with the next line
 */
export async function withProgress<T>(
  label: string,
  progress: Progress,
  step: (detail: (text: string) => void) => Promise<T>,
): Promise<T> {
  const startedAtMs = Date.now();
  let latest = '';
  progress(`${label} …`);
  const heartbeat = setInterval(() => {
    progress(`${label} … ${elapsed(startedAtMs)}${latest ? ` (${latest})` : ''}`);
  }, heartbeatMs);
  try {
    const result = await step((text) => {
      latest = text;
    });
    progress(`${label}: done (${elapsed(startedAtMs)})`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
