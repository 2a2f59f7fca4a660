import type { Handler } from '../../routes/route.ts';
import { type PendingSignup, PendingSignupRequest } from '../../schemas/signup.ts';

export const createPendingSignupShapes = { body: PendingSignupRequest };

/** Makes or resumes a sign-up. Whether the e-mail has an account already does not show. */
export const createPendingSignup: Handler<typeof createPendingSignupShapes, typeof PendingSignup> = async (
  { body },
  context,
) => {
  const { email, passwordHash, name, company, country, consent, utm } = body;
  const { pendingId, resumed } = await context.services.clients.identity.createPendingSignup(
    { email, passwordHash, name, company, country, consent: consent && { ...absent, ...consent }, utm },
    context.caller,
    context.changing(),
  );
  return { body: { pendingId }, status: resumed ? 200 : 201 };
};

/** A message's times are there, if only as undefined. */
const absent = { tosAt: undefined, dpaAt: undefined, privacyAt: undefined };
