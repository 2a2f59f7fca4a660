import type { Handler } from '../../routes/route.ts';
import type { UserRead } from '../../schemas/identity.ts';
import { VerifySignupRequest } from '../../schemas/signup.ts';
import { renderUser } from '../token/user-view.ts';

export const verifySignupShapes = { body: VerifySignupRequest };

/** Makes the user of a sign-up active, and its merchant, which has the same id. */
export const verifySignup: Handler<typeof verifySignupShapes, typeof UserRead> = async ({ body }, context) => ({
  body: renderUser(await context.services.clients.identity.verifySignup(body, context.caller, context.changing())),
});
