/** A header object; one that is `required` is in every answer for which it is listed. */
const text = (description: string, example: string, required = true) => ({
  description,
  ...(required && { required }),
  schema: { type: 'string' },
  example,
});
const whole = (description: string, example: number, required = true) => ({
  description,
  ...(required && { required }),
  schema: { type: 'integer' },
  example,
});

/** Every header that an answer may carry. */
export const headerComponents = {
  'X-Request-Id': text(
    "The request's id: the caller's own, or one made for it.",
    '0b9f2d1e-6c1d-4a55-9d0c-5c7a2f0f1a11',
  ),
  'X-Total-Count': whole('Records in the whole list.', 512),
  Link: text(
    'The next page, with rel="next"; absent on the last.',
    '<https://api.example.com/v2/webhooks?page=2&limit=250>; rel="next"',
    false,
  ),
  'Content-Language': text('The language of the answer (BCP 47).', 'de'),
  ETag: text('Names this very answer, for `If-None-Match`.', 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'),
  Vary: text('Request headers that the answer depends on.', 'Accept-Encoding'),
  'Cache-Control': text('Whether the answer may be kept.', 'private, no-cache'),
  Accept: text('The media types that the body may have.', 'application/json'),
  'Idempotency-Replayed': text('`true` when this is the first answer to the same key again.', 'true', false),
  'Retry-After': whole('Seconds to wait.', 1, false),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
  'RateLimit-Policy': text(
    'The limits that hold: name, requests in a window, and its seconds (draft-ietf-httpapi-ratelimit-headers-10).',
    '"per-ip";q=6000;w=60, "key-per-minute";q=60;w=60, "key-per-hour";q=1000;w=3600, "key-per-month";q=10000;w=2592000',
  ),
  RateLimit: text(
    'What is left of them: requests, and seconds until the window ends.',
    '"per-ip";r=5999;t=60, "key-per-minute";r=59;t=60, "key-per-hour";r=940;t=2811, "key-per-month";r=7302;t=912345',
  ),
  'X-RateLimit-Limit': whole('Requests in a window of the tightest limit.', 60),
  'X-RateLimit-Remaining': whole('Requests left in it.', 59),
  'X-RateLimit-Reset': whole('When it ends, in seconds since 1970.', 1_801_396_800),
} as const;

export type HeaderName = keyof typeof headerComponents;

/** References to headers, for a response object. */
export function headerRefs(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of which an answer may lack any. */
export function optionalHeaders(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { ...headerComponents[name], required: false }]));
}
