import type { Handler } from '../../routes/route.ts';
import { UserPath, type UserRead } from '../../schemas/identity.ts';
import { renderUser } from '../token/user-view.ts';

export const activateUserShapes = { params: UserPath };

/** Makes a user active; its credentials work again. */
export const activateUser: Handler<typeof activateUserShapes, typeof UserRead> = async ({ params }, context) => {
  const { userId } = params;
  const user = await context.services.clients.identity.setUserActive(
    { userId, active: true },
    context.caller,
    context.changing(),
  );
  // The other gateways hear of it over Redis.
  context.services.forgetCredential(userId);
  return { body: renderUser(user) };
};
