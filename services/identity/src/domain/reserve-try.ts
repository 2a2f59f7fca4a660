import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';

/**
 * Counts a try of a user's codes before it is made, so that tries at once cannot pass the bound together.
 * @throws AppError `rate_limited`, with the seconds until the next try.
 */
export async function reserveTry(context: Pick<IdentityContext, 'mfaTries' | 'now'>, userId: string): Promise<void> {
  const waitMs = await context.mfaTries.reserve(userId, context.now());
  if (waitMs > 0) throw refusal.tooManyCodes(Math.ceil(waitMs / 1000));
}
