/** What a hashed API key can be granted. A key has none unless they are given to it. */
export const scopes = [
  'loyalty:read',
  'loyalty:write',
  'templates:read',
  'templates:write',
  'passes:read',
  'passes:write',
  'giftcards:read',
  'giftcards:write',
  'giftcards:redeem',
  'analytics:read',
  'privacy:read',
  'privacy:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
