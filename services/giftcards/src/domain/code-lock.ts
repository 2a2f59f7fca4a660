/** Five wrong codes within this window lock the card's code checks for as long. */
export const codeLockMs = 15 * 60_000;
export const codeFailuresMax = 5;

/** For how many ms more codes of a card are not checked, given its last failures (oldest first); 0 when it is not locked. */
export function codeLockedForMs(failures: readonly Date[], now: Date): number {
  const last = failures.slice(-codeFailuresMax);
  const [first, newest] = [last[0], last.at(-1)];
  if (last.length < codeFailuresMax || first === undefined || newest === undefined) return 0;
  if (newest.getTime() - first.getTime() > codeLockMs) return 0;
  return Math.max(0, newest.getTime() + codeLockMs - now.getTime());
}
