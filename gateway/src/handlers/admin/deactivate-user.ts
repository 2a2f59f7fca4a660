import type { Handler } from '../../routes/route.ts';
import { UserPath, type UserRead } from '../../schemas/identity.ts';
import { forgetting } from '../forgetting.ts';
import { renderUser } from '../token/user-view.ts';

export const deactivateUserShapes = { params: UserPath };

/** Makes a user inactive: every credential of it is refused within a second. */
export const deactivateUser: Handler<typeof deactivateUserShapes, typeof UserRead> = async ({ params }, context) => {
  const { userId } = params;
  const { identity } = context.services.clients;
  const user = await forgetting(context, userId, () =>
    identity.setUserActive({ userId, active: false }, context.caller, context.changing()),
  );
  return { body: renderUser(user) };
};
