import type { LimitState, Policy } from './policy.ts';

/**
 * The headers that tell a client where it stands: `RateLimit-Policy` and `RateLimit` of
 * draft-ietf-httpapi-ratelimit-headers-10, and the older `X-RateLimit-*` of the tightest limit.
 */
export function limitHeaders(states: readonly LimitState[], now: number = Date.now()): Record<string, string> {
  const [first] = states;
  if (first === undefined) return {};
  let policies = '';
  let standings = '';
  let tightest = first;
  for (const state of states) {
    const comma = policies === '' ? '' : ', ';
    policies += comma + policyText(state.policy);
    standings += `${comma}"${state.policy.name}";r=${state.remaining};t=${state.resetSeconds}`;
    if (isTighter(state, tightest)) tightest = state;
  }
  return {
    'RateLimit-Policy': policies,
    RateLimit: standings,
    'X-RateLimit-Limit': String(tightest.policy.quota),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'X-RateLimit-Reset': String(Math.floor(now / 1000) + tightest.resetSeconds),
  };
}

const policyText = ({ name, quota, windowMs }: Policy) => `"${name}";q=${quota};w=${Math.ceil(windowMs / 1000)}`;

function isTighter(one: LimitState, other: LimitState): boolean {
  if (one.exceeded !== other.exceeded) return one.exceeded;
  if (one.remaining !== other.remaining) return one.remaining < other.remaining;
  return one.resetSeconds > other.resetSeconds;
}
