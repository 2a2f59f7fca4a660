import type { Handler } from '../../routes/route.ts';
import type { UserRead } from '../../schemas/identity.ts';
import { renderUser } from './user-view.ts';

/** The user behind the credential. */
export const getToken: Handler<object, typeof UserRead> = async (_input, context) => ({
  body: renderUser(await context.services.clients.identity.getUser({}, context.caller, context.reading())),
});
