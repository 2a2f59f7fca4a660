import type { Handler } from '../../routes/route.ts';
import { UserPath, type UserRead } from '../../schemas/identity.ts';
import { forgetting } from '../forgetting.ts';
import { renderUser } from '../token/user-view.ts';

export const activateUserShapes = { params: UserPath };

/** Makes a user active; its credentials work again. */
export const activateUser: Handler<typeof activateUserShapes, typeof UserRead> = async ({ params }, context) => {
  const { userId } = params;
  const { identity } = context.services.clients;
  const user = await forgetting(context, userId, () =>
    identity.setUserActive({ userId, active: true }, context.caller, context.changing()),
  );
  return { body: renderUser(user) };
};
