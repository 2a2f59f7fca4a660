import { refusal } from './errors.ts';
import type { CodeUse } from './mfa-ports.ts';
import type { IdentityContext } from './ports.ts';

/**
 * Counts a try of a user's codes before it is made, so that tries at once cannot pass the bound together.
 * @param use - what for; each use has a bound of its own.
 * @returns gives this one try back, after a right code; those of others stay, who may have been guessing meanwhile.
 * @throws AppError `rate_limited`, with the seconds until the next try.
 */
export async function reserveTry(
  context: Pick<IdentityContext, 'mfaTries' | 'now'>,
  use: CodeUse,
  userId: string,
): Promise<() => Promise<void>> {
  const reserved = await context.mfaTries.reserve(use, userId, context.now());
  if ('waitMs' in reserved) throw refusal.tooManyCodes(Math.ceil(reserved.waitMs / 1000));
  return () => context.mfaTries.giveBack(use, userId, reserved.endsAt);
}
