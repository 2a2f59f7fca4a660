import type { Handler } from '../../routes/route.ts';
import { UserPath, type UserRead } from '../../schemas/identity.ts';
import { forgetting } from '../forgetting.ts';
import { renderUser } from '../token/user-view.ts';

export const resetMfaShapes = { params: UserPath };

/** Takes a user's second factor away, and ends its sessions. */
export const resetMfa: Handler<typeof resetMfaShapes, typeof UserRead> = async ({ params }, context) => {
  const { userId } = params;
  const { identity } = context.services.clients;
  const user = await forgetting(context, userId, () =>
    identity.resetMfa({ userId }, context.caller, context.changing()),
  );
  return { body: renderUser(user) };
};
