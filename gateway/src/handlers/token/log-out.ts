import type { Handler } from '../../routes/route.ts';
import type { NoContent } from '../../schemas/common.ts';
import { LogOutRequest } from '../../schemas/identity.ts';

export const logOutShapes = { body: LogOutRequest };

/** Ends the session of a token: its access and refresh tokens are refused within a second. */
export const logOut: Handler<typeof logOutShapes, typeof NoContent> = async ({ body }, context) => {
  const { sessionId } = await context.services.clients.identity.logOut(
    { token: body.token },
    context.caller,
    context.changing(),
  );
  // The other gateways hear of it over Redis.
  if (sessionId !== undefined) context.services.forgetCredential(sessionId);
  return { body: null };
};
