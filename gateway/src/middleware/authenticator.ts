import { hash } from 'node:crypto';
import type { Caller } from '#platform/caller.ts';
import { AppError, unavailable } from '#platform/errors.ts';
import type { Principal } from '#proto/identity/v1/identity.ts';
import type { Clients } from '../clients.ts';
import { refusals } from '../errors.ts';
import { ExpiringCache } from '../expiring-cache.ts';

const principalsMax = 20_000;
const refusalsMax = 5_000;
const knownForMs = 5_000;
const refusedForMs = 1_000;
const credentialLengthMax = 4_096;
const bearer = /^Bearer +([\x21-\x7e]+) *$/i;
/** Longer than a look-up can take, so that a revocation beats the look-up that it overtook. */
const revocationsKeptMs = 30_000;
/** Look-ups for one request, when each was overtaken by a change. */
const lookUpsMax = 5;

/** What identity said of a credential: who it is, or why not. */
export type Verdict =
  | { readonly principal: Principal }
  | { readonly refusal: AppError; readonly userId?: string | undefined };

/**
 * Tells who a Bearer credential stands for. Verdicts are cached by the credential's SHA-256, good ones for 5 s and bad
 * ones for 1 s, and dropped at once when the credential, its user or its merchant changes. Bad ones have a cache of
 * their own, so that a flood of them drives no good one out.
 */
export class Authenticator {
  readonly #known = new ExpiringCache<Verdict>(principalsMax, livesMs);
  readonly #refused = new ExpiringCache<Verdict>(refusalsMax, () => refusedForMs);
  readonly #changedAt = new Map<string, number>();
  #forgotAllAt = Number.NEGATIVE_INFINITY;
  readonly #identity: Clients['identity'];

  constructor(identity: Clients['identity']) {
    this.#identity = identity;
  }

  /**
   * What is known of a header's credential without asking anybody; undefined when identity has to be asked.
   * @param authorization the header's value.
   */
  known(authorization: string | undefined): Verdict | undefined {
    const credential = credentialIn(authorization);
    if (credential === undefined) return { refusal: refusals.unauthorized() };
    const key = keyOf(credential);
    return this.#known.get(key) ?? this.#refused.get(key);
  }

  /**
   * Asks identity about a header's credential.
   * @param anonymous signs the call.
   * @throws {AppError} `unavailable` when identity is away, which is not remembered.
   */
  async lookUp(authorization: string | undefined, anonymous: Caller): Promise<Verdict> {
    const credential = credentialIn(authorization);
    if (credential === undefined) return { refusal: refusals.unauthorized() };
    const key = keyOf(credential);
    return this.#known.load(key, async () => {
      const verdict = await this.#askUntilCurrent(credential, anonymous);
      if ('refusal' in verdict) this.#refused.set(key, verdict);
      return verdict;
    });
  }

  /** Drops what is known of a session, app key or API key, or of everything of a user or merchant. */
  forget(id: string): void {
    const now = performance.now();
    for (const [known, at] of this.#changedAt) if (now - at > revocationsKeptMs) this.#changedAt.delete(known);
    this.#changedAt.set(id, now);
    for (const cache of [this.#known, this.#refused]) cache.drop((verdict) => idsOf(verdict).includes(id));
  }

  /** Drops everything, after revocations may have been missed. */
  forgetAll(): void {
    this.#forgotAllAt = performance.now();
    this.#known.drop(() => true);
    this.#refused.drop(() => true);
  }

  /** Asks again when a change overtook the answer: it may have been revoked, frozen or rotated, or be as good as before. */
  async #askUntilCurrent(credential: string, anonymous: Caller): Promise<Verdict> {
    for (let lookUp = 1; lookUp <= lookUpsMax; lookUp += 1) {
      const startedAt = performance.now();
      const verdict = await this.#ask(credential, anonymous);
      if (!this.#changedSince(verdict, startedAt)) return verdict;
    }
    throw unavailable();
  }

  #changedSince(verdict: Verdict, startedAt: number): boolean {
    const changes = idsOf(verdict).map((id) => this.#changedAt.get(id ?? '') ?? Number.NEGATIVE_INFINITY);
    return Math.max('principal' in verdict ? this.#forgotAllAt : Number.NEGATIVE_INFINITY, ...changes) >= startedAt;
  }

  async #ask(credential: string, anonymous: Caller): Promise<Verdict> {
    try {
      return { principal: await this.#identity.authenticate({ credential }, anonymous, { idempotent: true }) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.kind === 'unauthenticated') return { refusal: refusals.unauthorized(), userId: userIn(error) };
      if (error.kind === 'payment_required' || error.kind === 'forbidden') return { refusal: error };
      throw error;
    }
  }
}

/** The ids of which word may come. */
function idsOf(verdict: Verdict): (string | undefined)[] {
  if ('refusal' in verdict) return [verdict.userId];
  const { credentialId, userId, merchantId } = verdict.principal;
  return [credentialId, userId, merchantId];
}

function userIn({ details }: AppError): string | undefined {
  return typeof details.userId === 'string' ? details.userId : undefined;
}

const keyOf = (credential: string) => hash('sha256', credential, 'base64url');

function credentialIn(authorization: string | undefined): string | undefined {
  const credential = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
  return credential === undefined || credential.length > credentialLengthMax ? undefined : credential;
}

function livesMs(verdict: Verdict): number {
  if ('refusal' in verdict) return 0;
  const expiresAt = verdict.principal.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return Math.min(knownForMs, expiresAt - Date.now());
}
