import { hash } from 'node:crypto';
import type { Caller } from '#platform/caller.ts';
import { AppError } from '#platform/errors.ts';
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

/** What identity said of a credential: who it is, or why not. */
type Verdict = { readonly principal: Principal } | { readonly refusal: AppError };

/**
 * Tells who a Bearer credential stands for. Verdicts are cached by the credential's SHA-256, good ones for 5 s and bad
 * ones for 1 s, and dropped at once when the credential is revoked.
 */
export class Authenticator {
  readonly #cache = new ExpiringCache<Verdict>(entriesMax, livesMs);
  readonly #revokedAt = new Map<string, number>();
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

  /** Drops what is known of a session, app key or API key. */
  forget(credentialId: string): void {
    const now = Date.now();
    for (const [id, at] of this.#revokedAt) if (now - at > revocationsKeptMs) this.#revokedAt.delete(id);
    this.#revokedAt.set(credentialId, now);
    this.#cache.drop((verdict) => 'principal' in verdict && verdict.principal.credentialId === credentialId);
  }

  /** Drops everything, after revocations may have been missed. */
  forgetAll(): void {
    this.#cache.drop(() => true);
  }

  async #lookUp(key: string, credential: string, anonymous: Caller): Promise<Principal> {
    const verdict = await this.#cache.load(key, async () => {
      const startedAt = Date.now();
      const found = await this.#ask(credential, anonymous);
      const revokedAt = 'principal' in found ? this.#revokedAt.get(found.principal.credentialId) : undefined;
      return revokedAt !== undefined && revokedAt >= startedAt ? { refusal: refusals.unauthorized() } : found;
    });
    return principalOf(verdict);
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

function livesMs(verdict: Verdict): number {
  if ('refusal' in verdict) return refusedForMs;
  const expiresAt = verdict.principal.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return Math.min(knownForMs, expiresAt - Date.now());
}

function principalOf(verdict: Verdict): Principal {
  if ('refusal' in verdict) throw verdict.refusal;
  return verdict.principal;
}
