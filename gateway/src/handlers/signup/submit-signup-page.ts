import { z } from 'zod';
import { AppError } from '#platform/errors.ts';
import type { Handler } from '../../routes/route.ts';
import { SignupLink } from '../../schemas/signup.ts';
import { signupPage } from './signup-page.ts';

export const submitSignupPageShapes = { body: z.strictObject(SignupLink.shape) };

/** What the page's button does: the same as the API's operation, answered to a person. */
export const submitSignupPage: Handler<typeof submitSignupPageShapes, z.ZodString> = async ({ body }, context) => {
  try {
    await context.services.clients.identity.verifySignup(body, context.caller, context.changing());
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_code') throw error;
    return signupPage({
      title: 'This link does not work',
      text: 'It may be older than 24 hours, or cut short on its way. Sign up again to get a new one.',
      status: 400,
    });
  }
  return signupPage({ title: 'Your account is active', text: 'You can log in now.' });
};
