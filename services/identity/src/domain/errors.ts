import { AppError, notFound, unavailable } from '#platform/errors.ts';

/** Every refusal of this service. The code is a contract; the text may change. */
export const refusal = {
  /** One answer for unknown, malformed, revoked and expired credentials, and for those of an inactive user. */
  unauthorized: () => new AppError('unauthenticated', 'unauthorized', 'A valid Bearer credential is needed.'),
  /** The same, and for the gateway alone whose credential it is, so that it asks again once the user is active. */
  inactiveUser: (userId: string) =>
    new AppError('unauthenticated', 'unauthorized', 'A valid Bearer credential is needed.', { userId }),
  /** One answer for an unknown e-mail, a wrong password, an inactive user and every bad refresh token. */
  invalidGrant: () => new AppError('unauthenticated', 'invalid_grant', 'The credentials are not valid.'),
  /** Only to who has the password. */
  mfaRequired: () => new AppError('unauthenticated', 'mfa_required', 'A code of the second factor is needed.'),
  mfaAlreadyEnabled: () => new AppError('conflict', 'mfa_already_enabled', 'MFA is on. Turn it off first.'),
  /** A refreshed token is no log-in: whoever has stolen one cannot shut the user out. */
  recentLogInRequired: (maxAgeSeconds: number) =>
    new AppError('forbidden', 'recent_login_required', 'Log in again first: this needs a log-in of just now.', {
      maxAgeSeconds,
    }),
  cannotResetOwnMfa: () =>
    new AppError('conflict', 'cannot_reset_own_mfa', 'Turn your own second factor off with a code of it.'),
  tooManyCodes: (retryAfterSeconds: number) =>
    new AppError('rate_limited', 'rate_limited', 'Too many wrong codes. Wait before you try another.', {
      retryAfterSeconds,
    }),
  /** @param scope who may, in the place of a scope that no key can be given. */
  forbidden: (scope: 'user' | 'admin' = 'user') =>
    new AppError('forbidden', 'forbidden', 'This credential may not do that.', { scope }),
  appKeyNotFound: () => notFound('app key'),
  keyNotFound: () => notFound('key'),
  keyNotActive: (status: 'frozen' | 'expired') =>
    new AppError('conflict', 'key_not_active', `The key is ${status}; only an active one can be rotated.`, { status }),
  keyChanged: () =>
    new AppError('conflict', 'conflict', 'The key was rotated, frozen or revoked at the same time. Look at it first.'),
  merchantNotFound: () => notFound('merchant', 'merchant_not_found'),
  userNotFound: () => notFound('user'),
  cannotDeactivateSelf: () =>
    new AppError('conflict', 'cannot_deactivate_self', 'Another administrator has to make you inactive.'),
  disposableEmail: () =>
    new AppError('invalid', 'disposable_email', 'Addresses of throw-away mail services are not taken.'),
  consentMissing: () =>
    new AppError('invalid', 'consent_missing', 'Terms, data processing and privacy have to be consented to, by now.'),
  invalidCountry: () => new AppError('invalid', 'invalid_country', 'The country is no ISO 3166-1 alpha-2 code.'),
  /** One answer for a wrong, old, used or unknown code. */
  invalidCode: () => new AppError('invalid', 'invalid_code', 'The code is not valid.'),
  /** The record was purged between two steps. */
  signupGone: () => unavailable(),
  emailTaken: () => new AppError('conflict', 'email_taken', 'Another user has this e-mail address.'),
  keyLimitReached: (max: number) =>
    new AppError('conflict', 'key_limit_reached', `A merchant has at most ${max} of these. Delete one first.`, { max }),
  overloaded: () => unavailable('Too many log-ins at once. Try again.'),
};
