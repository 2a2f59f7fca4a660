import type { Handler } from '../../routes/route.ts';
import type { UserRead } from '../../schemas/identity.ts';
import { iso, textOrNull } from '../render.ts';

/** The user behind the credential. */
export const getToken: Handler<object, typeof UserRead> = async (_input, context) => {
  const user = await context.services.clients.identity.getUser({}, context.caller, context.reading());
  return {
    body: {
      id: user.id,
      email: user.email,
      name: textOrNull(user.name),
      emailVerified: iso(user.emailVerified),
      active: user.active,
      admin: user.admin,
      image: textOrNull(user.image),
      location: textOrNull(user.location),
      website: textOrNull(user.website),
    },
  };
};
