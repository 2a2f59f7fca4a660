import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { SignupLink } from '../../schemas/signup.ts';
import { signupPage } from './signup-page.ts';

export const showSignupPageShapes = { query: SignupLink };

/** Where the mail's link leads. It changes nothing by itself, since mail scanners follow links; the button does. */
export const showSignupPage: Handler<typeof showSignupPageShapes, z.ZodString> = async ({ query }) =>
  signupPage({
    title: 'Confirm your account',
    text: 'One step is left: confirm that you signed up for Tallycard with this e-mail address.',
    form: { button: 'Confirm my account', fields: { pendingId: query.pendingId, code: query.code } },
  });
