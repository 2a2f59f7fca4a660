import { z } from 'zod';
import { createPendingSignup, createPendingSignupShapes } from '../handlers/signup/create-pending-signup.ts';
import { showSignupPage, showSignupPageShapes } from '../handlers/signup/show-signup-page.ts';
import { submitSignupPage, submitSignupPageShapes } from '../handlers/signup/submit-signup-page.ts';
import { verifySignup, verifySignupShapes } from '../handlers/signup/verify-signup.ts';
import { UserRead } from '../schemas/identity.ts';
import { PendingSignup } from '../schemas/signup.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Sign-up', auth: 'none', public: false } as const;
/** By address alone: a code of 192 bits is not guessed, and a limit of its sign-up would let others lock its owner out. */
const verifyPerIp = { limit: 'signupVerifyPerIp' } as const;

export const signupRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'post',
    path: '/v2/signup/pending',
    operationId: 'createPendingSignup',
    summary: 'Make or resume a sign-up, and mail a link',
    limits: [{ limit: 'signupPerIp' }],
    request: createPendingSignupShapes,
    success: {
      ...{ status: 201, schema: PendingSignup, description: 'The sign-up is new.' },
      others: { 200: 'The sign-up goes on: it was live or abandoned.' },
    },
    errors: ['disposable_email', 'consent_missing', 'invalid_country'],
    handler: createPendingSignup,
  }),
  route({
    ...common,
    method: 'post',
    path: '/v2/signup/verify',
    operationId: 'verifySignup',
    summary: 'Make the user of a sign-up active, and its merchant',
    limits: [verifyPerIp],
    request: verifySignupShapes,
    bodyTypes: ['json', 'form'],
    success: { status: 200, schema: UserRead, description: 'The user; its id is the `pendingId` and the merchant id.' },
    errors: ['invalid_code'],
    handler: verifySignup,
  }),
  route({
    ...common,
    method: 'get',
    path: '/signup/verify',
    operationId: 'showSignupPage',
    summary: "The page that a sign-up mail's link leads to",
    storable: false,
    request: showSignupPageShapes,
    success: { status: 200, schema: z.string(), description: 'The page.', contentType: 'text/html' },
    errors: [],
    handler: showSignupPage,
  }),
  route({
    ...common,
    method: 'post',
    path: '/signup/verify',
    operationId: 'submitSignupPage',
    summary: "What the page's button does",
    limits: [verifyPerIp],
    request: submitSignupPageShapes,
    bodyTypes: ['form', 'json'],
    success: {
      ...{ status: 200, schema: z.string(), description: 'A page that says so.', contentType: 'text/html' },
      others: { 400: 'A page that says that the link does not work.' },
    },
    errors: [],
    handler: submitSignupPage,
  }),
];
