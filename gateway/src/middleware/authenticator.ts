import { hash } from 'node:crypto';
import { AppError, unavailable } from '#platform/errors.ts';
import type { Caller } from '#platform/grpc/caller.ts';
import type { Principal } from '#proto/identity/v1/identity.ts';
import type { Clients } from '../clients.ts';
import { refusals } from '../errors.ts';
import { ExpiringCache } from '../expiring-cache.ts';

const principalsMax = 20_000;
const refusalsMax = 5_000;
/**
 * While word of changes may be missed: so long, since identity was asked, a change may go unnoticed. Identity is asked of
 * each credential in use once in this time then, by each gateway.
 */
const knownUnheardForMs = 1_000;
const refusedForMs = 1_000;
const credentialLengthMax = 4_096;
const bearer = /^Bearer +([\x21-\x7e]+) *$/i;
/** Longer than a look-up can take and its verdict is known then, so that word beats the look-up that it overtook. */
const revocationsKeptMs = 120_000;
/** Of which ids word is kept; with more than that everything is forgotten. */
const changesMax = 50_000;
/** Look-ups for one request, when each was overtaken by a change. */
const lookUpsMax = 5;

/** What identity said of a credential: who it is, or why not. */
export type Verdict =
  | { readonly principal: Principal }
  | { readonly refusal: AppError; readonly userId?: string | undefined };

/** A verdict, and when identity was asked for it. */
type Known = Verdict & { readonly askedAt: number };

/**
 * Tells who a Bearer credential stands for. Verdicts are cached by the credential's SHA-256, good ones for as
 * long as configured (1 s at most while word of changes may be missed) and bad ones for 1 s, and dropped at once when the
 * credential, its user or its merchant changes. Bad ones have a cache of their own, so that a flood of them drives no good
 * one out.
 */
export class Authenticator {
  readonly #known = new ExpiringCache<Known>(principalsMax, (known) => this.#livesMs(known));
  readonly #refused = new ExpiringCache<Known>(refusalsMax, () => refusedForMs);
  /** When word came of an id, the latest last: what was asked before holds no longer. */
  readonly #changedAt = new Map<string, number>();
  #forgotAllAt = Number.NEGATIVE_INFINITY;
  #hearsOfChanges = false;
  readonly #identity: Clients['identity'];
  readonly #knownForMs: number;

  /** @param knownForMs how long a credential is believed without asking again: bounds what word that is lost can cost. */
  constructor(identity: Clients['identity'], knownForMs: number) {
    this.#identity = identity;
    this.#knownForMs = knownForMs;
  }

  /**
   * What is known of a header's credential without asking anybody; undefined when identity has to be asked.
   * @param authorization the header's value.
   */
  known(authorization: string | undefined): Verdict | undefined {
    const credential = credentialIn(authorization);
    if (credential === undefined) return { refusal: refusals.unauthorized() };
    const key = keyOf(credential);
    return this.#current(key);
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
    this.#current(key);
    return this.#known.load(key, async () => {
      const verdict = await this.#askUntilCurrent(credential, anonymous);
      if ('refusal' in verdict) this.#refused.set(key, verdict);
      return verdict;
    });
  }

  /** Drops what is known of a session, app key or API key, or of everything of a user or merchant. */
  forget(id: string): void {
    const now = performance.now();
    this.#changedAt.delete(id);
    this.#changedAt.set(id, now);
    for (const [known, at] of this.#changedAt) {
      if (now - at <= revocationsKeptMs) break;
      this.#changedAt.delete(known);
    }
    if (this.#changedAt.size > changesMax) this.forgetAll();
  }

  /** Whether word of changes arrives from now on. What was known may be outdated already, so everything is dropped. */
  hearsOfChanges(isLive: boolean): void {
    this.#hearsOfChanges = isLive;
    this.forgetAll();
  }

  /** Drops all that is known: word of some change was lost. */
  forgetAll(): void {
    this.#forgotAllAt = performance.now();
    this.#changedAt.clear();
    this.#known.drop(() => true);
    this.#refused.drop(() => true);
  }

  /** Asks again when a change overtook the answer: it may have been revoked, frozen or rotated, or be as good as before. */
  async #askUntilCurrent(credential: string, anonymous: Caller): Promise<Known> {
    for (let lookUp = 1; lookUp <= lookUpsMax; lookUp += 1) {
      const askedAt = performance.now();
      const verdict = await this.#ask(credential, anonymous);
      if (!this.#changedSince(verdict, askedAt)) return { ...verdict, askedAt };
    }
    throw unavailable();
  }

  /** What is cached, if no word came since; word is looked for at each use, so that it costs no search of the cache. */
  #current(key: string): Known | undefined {
    return this.#currentIn(this.#known, key) ?? this.#currentIn(this.#refused, key);
  }

  #currentIn(cache: ExpiringCache<Known>, key: string): Known | undefined {
    const known = cache.get(key);
    if (known === undefined || !this.#changedSince(known, known.askedAt)) return known;
    cache.delete(key);
    return undefined;
  }

  #changedSince(verdict: Verdict, askedAt: number): boolean {
    if ('principal' in verdict && this.#forgotAllAt >= askedAt) return true;
    if (this.#changedAt.size === 0) return false;
    return idsOf(verdict).some((id) => (this.#changedAt.get(id ?? '') ?? Number.NEGATIVE_INFINITY) >= askedAt);
  }

  #livesMs(known: Known): number {
    if ('refusal' in known) return 0;
    const expiresAt = known.principal.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    const ageMs = performance.now() - known.askedAt;
    const unheardForMs = this.#hearsOfChanges ? Number.POSITIVE_INFINITY : knownUnheardForMs - ageMs;
    return Math.min(this.#knownForMs, unheardForMs, expiresAt - Date.now());
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
