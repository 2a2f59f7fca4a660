import type { Route } from '../routes/route.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/** The two kinds of credentials: what one may do follows from whose it is, what the other may do from its scopes. */
export const securitySchemes = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "A JWT: an access token from `POST /v2/token`, which lives 15 minutes, or an app key. It has the merchant's whole access and no scopes.",
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'tc_live_…',
    description: [
      'An API key, sent in the same way. It may do only what its scopes name; each operation that takes one lists the scope',
      'it needs. `fullAccess` grants every scope but `giftcards:redeem`. It is metered by plan and can be frozen (402).',
      '`tc_test_…` keys work on a sandbox.',
    ].join(' '),
  },
} as const;

/** Whose credentials a route takes; OpenAPI 3.1 lets the list of a bearer scheme name the scopes needed. */
export function securityOf({ auth, scope }: Route): readonly Requirement[] {
  if (auth === 'none') return [];
  const requirements: Requirement[] = [{ bearerAuth: [] }];
  if (auth === 'bearer') requirements.push({ apiKey: scope === undefined ? [] : [scope] });
  return requirements;
}
