import type { Caller } from '#platform/caller.ts';
import type { Transaction } from '#platform/mongo.ts';
import type { ApiKey } from './api-key.ts';
import type { AppKey } from './app-key.ts';
import type { AuditActor, AuditEntry, AuditedChange } from './audit-entry.ts';
import type { RefreshToken, Session } from './session.ts';
import type { User } from './user.ts';

export interface UserStore {
  /** By id, which is unique among all merchants. */
  get(userId: string): Promise<User | undefined>;
  /** By lowercase e-mail, with the stored password hash. */
  findByEmail(email: string): Promise<{ user: User; storedPassword: string } | undefined>;
  /** @returns false, with nothing written, when the e-mail is taken. */
  insert(user: User, storedPassword: string): Promise<boolean>;
}

export interface SessionStore {
  insert(session: Session, first: RefreshToken): Promise<void>;
  /** By id, which is unique among all merchants. */
  get(sessionId: string): Promise<Session | undefined>;
  findRefreshToken(hash: string): Promise<RefreshToken | undefined>;
  /**
   * Exchanges an unused token for the next one of its session.
   * @returns false when it was used before; of calls at once, one gets true.
   */
  rotate(usedHash: string, next: RefreshToken, now: Date): Promise<boolean>;
  /** Ends the session. @returns false when it was over already. */
  end(merchantId: string, sessionId: string, now: Date): Promise<boolean>;
}

export interface AppKeyStore {
  /** @returns false, with nothing written, when the merchant has `max` already. */
  insert(appKey: AppKey, max: number): Promise<boolean>;
  get(merchantId: string, id: string): Promise<AppKey | undefined>;
  /** Newest first. */
  list(merchantId: string): Promise<AppKey[]>;
  /** @returns false when the merchant has no such key. */
  delete(merchantId: string, id: string): Promise<boolean>;
}

export interface ApiKeyStore {
  /** @returns false, with nothing written, when the merchant has `max` already. */
  insert(key: ApiKey, hash: string, max: number): Promise<boolean>;
  /** By the keyed hash of its secret: the secret is the credential, whoever's it is. */
  findByHash(hash: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  list(merchantId: string): Promise<ApiKey[]>;
  /** @returns false when the merchant has no such key. */
  delete(merchantId: string, id: string): Promise<boolean>;
}

/** Slow on purpose. @throws AppError `unavailable` when too much of it is waiting. */
export interface PasswordHasher {
  /** What a client derives of a password: PBKDF2-SHA-256, salt the lowercase e-mail, 600,000 rounds, base64. */
  derive(password: string, email: string): Promise<string>;
  /** For storage: argon2id as a PHC string. */
  hash(passwordHash: string): Promise<string>;
  /** Takes as long when nothing is stored, and is false then. */
  verify(passwordHash: string, stored: string | undefined): Promise<boolean>;
}

/** What a token of ours says, its signature, issuer, audience, type and expiry checked. */
export type TokenClaims =
  | { readonly type: 'access'; readonly userId: string; readonly sessionId: string; readonly expiresAt: Date }
  | { readonly type: 'app'; readonly userId: string; readonly appKeyId: string };

export interface TokenSigner {
  signAccess(claims: { userId: string; sessionId: string }, now: Date): Promise<string>;
  signApp(claims: { userId: string; appKeyId: string }, now: Date): Promise<string>;
  /** @returns undefined for whatever is not a token of ours that is good at `now`. */
  verify(token: string, now: Date): Promise<TokenClaims | undefined>;
}

/** Makes secrets, and the keyed hashes under which they are stored. */
export interface SecretFactory {
  newApiKey(): { secret: string; hash: string };
  hashApiKey(secret: string): string;
  newRefreshToken(): { token: string; hash: string };
  hashRefreshToken(token: string): string;
}

/** Tells every gateway to forget a credential. */
export interface Revocations {
  /** Never fails: a gateway that does not hear of it forgets by itself soon after. */
  publish(credentialId: string): Promise<void>;
}

/** Keeps audit entries. There is no way to change or remove one. */
export interface AuditLogStore {
  insert(entry: AuditEntry): Promise<void>;
}

export interface ActorName {
  readonly name?: string;
  /** Of users. */
  readonly email?: string;
}

export interface ActorNames {
  /** By id; whoever is not known any more is left out. */
  find(actors: readonly AuditActor[]): Promise<ReadonlyMap<string, ActorName>>;
}

export interface AuditRecorder {
  /**
   * Tells of a change, inside the {@link Transaction} of the change itself: both are stored, or neither.
   * @throws TypeError when neither the caller nor the change names a merchant.
   */
  record(caller: Caller, change: AuditedChange): Promise<void>;
}

export type Clock = () => Date;

/** All that the use cases need from outside. */
export interface IdentityContext {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly appKeys: AppKeyStore;
  readonly apiKeys: ApiKeyStore;
  readonly passwords: PasswordHasher;
  readonly tokens: TokenSigner;
  readonly secrets: SecretFactory;
  readonly revocations: Revocations;
  readonly auditLogs: AuditLogStore;
  readonly audit: AuditRecorder;
  readonly transaction: Transaction;
  readonly now: Clock;
}
