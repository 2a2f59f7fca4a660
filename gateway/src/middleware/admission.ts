import type { AppError } from '#platform/errors.ts';
import type { Caller } from '#platform/grpc/caller.ts';
import type { Principal } from '#proto/identity/v1/identity.ts';
import type { Context } from '../context.ts';
import { refusals } from '../errors.ts';
import type { Limiter, WithoutRedis } from '../limits/limiter.ts';
import type { LimitGroup, LimitState, Window } from '../limits/policy.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { Input, RequestShapes, Route } from '../routes/route.ts';
import type { Authenticator, Verdict } from './authenticator.ts';
import { limitedNetwork } from './client-address.ts';
import type { AdmissionMetrics } from './edge-metrics.ts';
import type { Passage } from './passage.ts';

export interface AdmissionDeps {
  readonly authenticator: Authenticator;
  readonly limits: RequestLimits;
  readonly limiter: Limiter;
  readonly metrics: AdmissionMetrics;
}

/**
 * Lets a request in: limits of its address, 401, 402, 403, limits of its key or user. With a credential that is known that
 * is one round trip to Redis; a credential that identity has to be asked about takes two. A call that is refused before
 * the limits of its key is not counted in them.
 * @throws {AppError} the refusal.
 */
export async function admit(passage: Passage, deps: AdmissionDeps): Promise<Caller> {
  const network = limitedNetwork(passage.ip);
  const source = deps.limits.source(passage.route, network);
  if (passage.route.auth === 'none') {
    await count(passage, deps, { windows: source });
    return anonymous(passage);
  }
  const known = deps.authenticator.known(passage.request.headers.authorization);
  deps.metrics.verdict(known === undefined ? 'identity' : 'cache');
  const principal =
    known === undefined
      ? await admitUnknown(passage, deps, source, network)
      : await admitKnown(passage, deps, source, known);
  return {
    kind: principal.kind as Caller['kind'],
    merchantId: principal.merchantId,
    userId: principal.userId,
    credentialId: principal.credentialId,
    requestId: passage.requestId,
    ip: passage.ip,
    userAgent: passage.userAgent,
  };
}

async function admitKnown(passage: Passage, deps: AdmissionDeps, source: readonly Window[], known: Verdict) {
  const verdict = authorised(passage.route, known);
  if ('refusal' in verdict) {
    await count(passage, deps, { windows: source });
    throw verdict.refusal;
  }
  const own = deps.limits.principal(verdict.principal);
  await count(passage, deps, { ...own, windows: [...source, ...own.windows] });
  return verdict.principal;
}

/** Asks identity, for an address that has not had too many credentials refused of late. */
async function admitUnknown(passage: Passage, deps: AdmissionDeps, source: readonly Window[], network: string) {
  const failed = deps.limits.failedAuthentication(network);
  await count(passage, deps, { windows: [...source, { ...failed, lookOnly: true }] });
  const found = await deps.authenticator.lookUp(passage.request.headers.authorization, anonymous(passage));
  const verdict = authorised(passage.route, found);
  passage.limits = passage.limits.filter(({ policy }) => policy !== failed.policy);
  if ('refusal' in verdict) {
    // Now that it is known to be bad: many good ones that came at once must not refuse one another.
    if (verdict.refusal.kind === 'unauthenticated') await count(passage, deps, { windows: [failed] });
    throw verdict.refusal;
  }
  await count(passage, deps, deps.limits.principal(verdict.principal));
  return verdict.principal;
}

/** Turns a verdict into a refusal when the route is not for whom it names. */
function authorised(route: Route, verdict: Verdict): Verdict {
  if ('refusal' in verdict) return verdict;
  const refusal = refusalFor(route, verdict.principal);
  return refusal === undefined ? verdict : { refusal };
}

/** Scopes bind API keys only; `fullAccess` is every scope but redeeming. A frozen key may call nothing. */
function refusalFor(route: Route, { kind, scopes, fullAccess, frozen, admin }: Principal): AppError | undefined {
  if (frozen) return refusals.keyFrozen();
  if (route.auth === 'session' && kind !== 'user') return refusals.sessionOnly();
  if (route.auth === 'admin' && (kind !== 'user' || !admin)) return refusals.adminOnly();
  if (kind !== 'api_key') return undefined;
  if (route.auth === 'user') return refusals.userOnly();
  if (route.scope === undefined || scopes.includes(route.scope)) return undefined;
  return !fullAccess || route.scope === 'giftcards:redeem' ? refusals.missingScope(route.scope) : undefined;
}

const anonymous = ({ requestId, ip, userAgent }: Passage): Caller => ({
  kind: 'anonymous',
  merchantId: '',
  userId: '',
  credentialId: '',
  requestId,
  ip,
  userAgent,
});

/** Counts a valid request against what its route limits besides addresses. */
export async function admitSubjects(
  passage: Passage,
  deps: AdmissionDeps,
  input: Input<RequestShapes>,
  context: Context,
): Promise<void> {
  const windows: Window[] = [];
  for (const { limit, subject } of passage.route.limits ?? []) {
    const named = await subject?.(input, context);
    if (named !== undefined) windows.push(deps.limits.subject(limit, named));
  }
  await count(passage, deps, { windows });
}

async function count(passage: Passage, { limiter, metrics }: AdmissionDeps, group: LimitGroup): Promise<void> {
  if (group.windows.length === 0) return;
  const states = await limiter.count(group, withoutRedis(passage.route));
  passage.limits = passage.limits.length === 0 ? states : [...passage.limits, ...states];
  const exceeded = states.filter((state) => state.exceeded);
  if (exceeded.length === 0) return;
  for (const { policy } of exceeded) metrics.limited(policy.name);
  throw refusalOf(exceeded);
}

/** Reads go on. Whatever moves money, logs in or guards a secret would be unguarded without its limits. */
const withoutRedis = (route: Route): WithoutRedis =>
  route.withoutRedis ?? (route.method === 'get' ? 'count-locally' : 'refuse');

function refusalOf(exceeded: readonly LimitState[]) {
  const seconds = Math.max(...exceeded.map(({ resetSeconds }) => resetSeconds));
  const names = exceeded.map(({ policy }) => policy.name);
  return exceeded.some(({ isMonth }) => isMonth)
    ? refusals.monthlyQuotaExceeded(seconds, names)
    : refusals.rateLimited(seconds, names);
}
