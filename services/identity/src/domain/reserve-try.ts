import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';

/**
 * Counts a try of a user's codes before it is made, so that tries at once cannot pass the bound together.
 * @returns gives this one try back, after a right code; those of others stay, who may have been guessing meanwhile.
 * @throws AppError `rate_limited`, with the seconds until the next try.
 */
export async function reserveTry(
  context: Pick<IdentityContext, 'mfaTries' | 'now'>,
  userId: string,
): Promise<() => Promise<void>> {
  const reserved = await context.mfaTries.reserve(userId, context.now());
  if ('waitMs' in reserved) throw refusal.tooManyCodes(Math.ceil(reserved.waitMs / 1000));
  return () => context.mfaTries.giveBack(userId, reserved.endsAt);
}
