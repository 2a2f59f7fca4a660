import { hash } from 'node:crypto';
import type { Caller } from '#platform/caller.ts';
import { AppError, unavailable } from '#platform/errors.ts';
import type { Principal } from '#proto/identity/v1/identity.ts';
import type { Clients } from '../clients.ts';
import { refusals } from '../errors.ts';
import { ExpiringCache } from '../expiring-cache.ts';

const entriesMax = 20_000;
const knownForMs = 5_000;
const refusedForMs = 1_000;
const credentialLengthMax = 4_096;
const bearer = /^Bearer +([\x21-\x7e]+) *$/i;
/** Longer than a look-up can take, so that a revocation beats the look-up that it overtook. */
const revocationsKeptMs = 30_000;
/** Look-ups for one request, when each was overtaken by a change. */
const lookUpsMax = 5;

/** What identity said of a credential: who it is, or why not. */
type Verdict = { readonly principal: Principal } | { readonly refusal: AppError };

/**
 * Tells who a Bearer credential stands for. Verdicts are cached by the credential's SHA-256, good ones for 5 s and bad
 * ones for 1 s, and dropped at once when the credential, its user or its merchant changes.
 */
export class Authenticator {
  readonly #cache = new ExpiringCache<Verdict>(entriesMax, livesMs);
  readonly #changedAt = new Map<string, number>();
  #forgotAllAt = Number.NEGATIVE_INFINITY;
  readonly #identity: Clients['identity'];

  constructor(identity: Clients['identity']) {
    this.#identity = identity;
  }

  /**
   * @param authorization the header's value.
   * @param anonymous signs the call to identity.
   * @throws {AppError} `unauthorized`, or what else identity refused with.
   */
  authenticate(authorization: string | undefined, anonymous: Caller): Principal | Promise<Principal> {
    const credential = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
    if (credential === undefined || credential.length > credentialLengthMax) throw refusals.unauthorized();
    const key = hash('sha256', credential, 'base64url');
    const known = this.#cache.get(key);
    return known === undefined ? this.#lookUp(key, credential, anonymous) : principalOf(known);
  }

  /** Drops what is known of a session, app key or API key, or of everything of a user or merchant. */
  forget(id: string): void {
    const now = performance.now();
    for (const [known, at] of this.#changedAt) if (now - at > revocationsKeptMs) this.#changedAt.delete(known);
    this.#changedAt.set(id, now);
    this.#cache.drop((verdict) => 'principal' in verdict && idsOf(verdict.principal).includes(id));
  }

  /** Drops everything, after revocations may have been missed. */
  forgetAll(): void {
    this.#forgotAllAt = performance.now();
    this.#cache.drop(() => true);
  }

  async #lookUp(key: string, credential: string, anonymous: Caller): Promise<Principal> {
    return principalOf(await this.#cache.load(key, () => this.#askUntilCurrent(credential, anonymous)));
  }

  /** Asks again when a change overtook the answer: it may have been revoked, frozen or rotated, or be as good as before. */
  async #askUntilCurrent(credential: string, anonymous: Caller): Promise<Verdict> {
    for (let lookUp = 1; lookUp <= lookUpsMax; lookUp += 1) {
      const startedAt = performance.now();
      const verdict = await this.#ask(credential, anonymous);
      if ('refusal' in verdict || !this.#changedSince(verdict.principal, startedAt)) return verdict;
    }
    throw unavailable();
  }

  #changedSince(principal: Principal, startedAt: number): boolean {
    const changes = idsOf(principal).map((id) => this.#changedAt.get(id) ?? Number.NEGATIVE_INFINITY);
    return Math.max(this.#forgotAllAt, ...changes) >= startedAt;
  }

  async #ask(credential: string, anonymous: Caller): Promise<Verdict> {
    try {
      return { principal: await this.#identity.authenticate({ credential }, anonymous, { idempotent: true }) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.kind === 'unauthenticated') return { refusal: refusals.unauthorized() };
      if (error.kind === 'payment_required' || error.kind === 'forbidden') return { refusal: error };
      throw error;
    }
  }
}

/** The ids of which word may come. */
const idsOf = ({ credentialId, userId, merchantId }: Principal) => [credentialId, userId, merchantId];

function livesMs(verdict: Verdict): number {
  if ('refusal' in verdict) return refusedForMs;
  const expiresAt = verdict.principal.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return Math.min(knownForMs, expiresAt - Date.now());
}

function principalOf(verdict: Verdict): Principal {
  if ('refusal' in verdict) throw verdict.refusal;
  return verdict.principal;
}
