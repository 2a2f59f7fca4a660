import type { Handler } from '../../routes/route.ts';
import { UserPath, type UserRead } from '../../schemas/identity.ts';
import { renderUser } from '../token/user-view.ts';

export const resetMfaShapes = { params: UserPath };

/** Takes a user's second factor away, and ends its sessions. */
export const resetMfa: Handler<typeof resetMfaShapes, typeof UserRead> = async ({ params }, context) => {
  const { userId } = params;
  const user = await context.services.clients.identity.resetMfa({ userId }, context.caller, context.changing());
  // The other gateways hear of it over Redis.
  context.services.forgetCredential(userId);
  return { body: renderUser(user) };
};
