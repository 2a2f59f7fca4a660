import type { Transaction } from '#platform/mongo/mongo.ts';
import type { ApiKey, KeyMode, ShownKey } from './api-key.ts';
import type { AppKey } from './app-key.ts';
import type { ActorNames, AuditLogStore, AuditRecorder } from './audit-ports.ts';
import type { MfaStore, MfaTries } from './mfa-ports.ts';
import type { Listed, Window } from './paging.ts';
import type { MerchantPlan, PlanDefaults } from './plan.ts';
import type { SessionStore } from './session-ports.ts';
import type { Mails, SignupStore } from './signup-ports.ts';
import type { Totp } from './totp.ts';
import type { OwnedUsageCount, UsageCount } from './usage.ts';
import type { User } from './user.ts';

export interface UserStore {
  /** By id, which is unique among all merchants. */
  get(userId: string): Promise<User | undefined>;
  /** By lowercase e-mail, with the stored password hash. */
  findByEmail(email: string): Promise<{ user: User; storedPassword: string } | undefined>;
  /** @returns false, with nothing written, when the e-mail is taken. */
  insert(user: User, storedPassword: string): Promise<boolean>;
  setActive(merchantId: string, userId: string, active: boolean): Promise<void>;
  setAdmin(merchantId: string, userId: string): Promise<void>;
  /**
   * Writes to the user, so that of transactions at once that claim or change it, one goes on and the others begin anew:
   * what one of them has looked at, no other has changed. @returns false when the user is gone or inactive.
   */
  claim(merchantId: string, userId: string): Promise<boolean>;
}

export interface AppKeyStore {
  /** @returns false, with nothing written, when the merchant has `max` already. */
  insert(appKey: AppKey, max: number): Promise<boolean>;
  get(merchantId: string, id: string): Promise<AppKey | undefined>;
  /** A window of them, newest first, and how many there are. */
  list(merchantId: string, window: Window): Promise<Listed<AppKey>>;
  /** @returns false when the merchant has no such key. */
  delete(merchantId: string, id: string): Promise<boolean>;
}

export interface ApiKeyStore {
  /** @returns false, with nothing written, when the merchant has `max` already. */
  insert(key: ApiKey, hash: string, max: number): Promise<boolean>;
  /** By the keyed hash of one of its secrets: the secret is the credential, whoever's it is. */
  findByHash(hash: string): Promise<ShownKey | undefined>;
  /** With the keyed hash of its newest secret. */
  get(merchantId: string, id: string): Promise<{ key: ApiKey; hash: string } | undefined>;
  /** A window of them, newest first, and how many there are. */
  list(merchantId: string, window: Window): Promise<Listed<ApiKey>>;
  /**
   * Makes the secret under `hash` the newest, and the newest the previous one; with no grace period that one stops, and
   * any older one always does.
   * @returns undefined, with nothing changed, unless `fromHash` still is the newest and the key is not frozen.
   */
  rotate(merchantId: string, id: string, rotation: Rotation): Promise<ApiKey | undefined>;
  /** @returns undefined when the merchant has no such key, or it is frozen already. */
  freeze(merchantId: string, id: string, now: Date): Promise<ApiKey | undefined>;
  /** @returns undefined when the merchant has no such key, or it is not frozen. */
  unfreeze(merchantId: string, id: string): Promise<ApiKey | undefined>;
  /** Leaves word whose it was, for its usage. @returns what was deleted; undefined when the merchant has no such key. */
  delete(merchantId: string, id: string, now: Date): Promise<ApiKey | undefined>;
  /** Whether the merchant had such a key, and deleted it. */
  wasDeleted(merchantId: string, id: string): Promise<boolean>;
  /** Whose keys these are or were; unknown ones are left out. */
  merchantsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface Rotation {
  readonly fromHash: string;
  readonly hash: string;
  readonly prefix: string;
  readonly rotatedAt: Date;
  /** Until when the newest secret goes on working. */
  readonly previousExpiresAt?: Date;
}

/** The twin merchants on which test keys work. */
export interface SandboxStore {
  /** The merchant's, made if need be; of calls at once, all get the same. */
  ensure(merchantId: string, now: Date): Promise<string>;
  find(merchantId: string): Promise<string | undefined>;
}

export interface PlanStore {
  /** The free plan when none was set. */
  get(merchantId: string): Promise<MerchantPlan>;
  put(plan: MerchantPlan, now: Date): Promise<void>;
}

/** Calls by key and month, as they are kept. */
export interface UsageStore {
  /** 0 when nothing is stored. */
  calls(merchantId: string, keyId: string, month: string): Promise<number>;
  /** Newest first. */
  months(merchantId: string, keyId: string, max: number): Promise<UsageCount[]>;
  /** When each was last known to be used; keys never used are left out. */
  lastUsed(merchantId: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, Date>>;
  /** Raises each count to what is given, and lowers none. */
  raise(counts: readonly OwnedUsageCount[], now: Date): Promise<void>;
}

/** Calls by key and month, as the gateways count them. */
export interface UsageCounters {
  /** As far as they are there; none while Redis is down. */
  read(keyId: string, months: readonly string[]): Promise<UsageCount[]>;
  /** Those that changed since they were last settled, in batches; at least all that are marked when it begins. */
  changed(): AsyncIterable<readonly UsageCount[]>;
  /** Takes the marks off those that still stand as given. */
  settle(counts: readonly UsageCount[]): Promise<void>;
  /** How many counters changed and are not stored, and for how long the oldest change may have waited. */
  waiting(): Promise<{ readonly counters: number; readonly ageMs: number }>;
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

/** An Ed25519 public key (RFC 8037). */
export interface PublicKey {
  /** Its thumbprint (RFC 7638). */
  readonly kid: string;
  /** Base64url. */
  readonly x: string;
}

export interface TokenSigner {
  signAccess(claims: { userId: string; sessionId: string }, now: Date): Promise<string>;
  signApp(claims: { userId: string; appKeyId: string }, now: Date): Promise<string>;
  /**
   * @param now undefined: it may have run out.
   * @returns undefined for whatever is not a token of ours that is good at `now`.
   */
  verify(token: string, now: Date | undefined): Promise<TokenClaims | undefined>;
  /** The keys that tokens are verified with, the one that signs first. */
  publicKeys(): readonly PublicKey[];
}

/** Makes secrets, and the keyed hashes under which they are stored. */
export interface SecretFactory {
  newApiKey(mode: KeyMode): { secret: string; hash: string };
  hashApiKey(secret: string): string;
  newRefreshToken(): { token: string; hash: string };
  hashRefreshToken(token: string): string;
  newSignupCode(pendingId: string): { code: string; hash: string };
  hashSignupCode(pendingId: string, code: string): string;
  newRecoveryCode(userId: string): { code: string; hash: string };
  /** Capitals, blanks and dashes make no difference. */
  hashRecoveryCode(userId: string, code: string): string;
}

/** Tells every gateway to forget what it knows. */
export interface Revocations {
  /**
   * @param id of a session or key, or of a user or merchant, of which nothing that was known holds any longer.
   * Never fails: a gateway that does not hear of it forgets by itself soon after.
   */
  publish(id: string): Promise<void>;
  /** Of everything, for changes whose word was lost: it goes out after the commit, and a process can die in between. */
  publishAll(): Promise<void>;
}

export type Clock = () => Date;

/** All that the use cases need from outside. */
export interface IdentityContext {
  readonly users: UserStore;
  readonly signups: SignupStore;
  readonly mails: Mails;
  /** Where clients reach the gateway; links in mails begin with it. No slash at the end. */
  readonly publicUrl: string;
  readonly sessions: SessionStore;
  readonly mfa: MfaStore;
  readonly mfaTries: MfaTries;
  readonly totp: Totp;
  readonly appKeys: AppKeyStore;
  readonly apiKeys: ApiKeyStore;
  readonly sandboxes: SandboxStore;
  readonly plans: PlanStore;
  readonly planDefaults: PlanDefaults;
  readonly usage: UsageStore;
  readonly usageCounters: UsageCounters;
  readonly passwords: PasswordHasher;
  readonly tokens: TokenSigner;
  readonly secrets: SecretFactory;
  readonly revocations: Revocations;
  readonly auditLogs: AuditLogStore;
  readonly actorNames: ActorNames;
  readonly audit: AuditRecorder;
  readonly transaction: Transaction;
  readonly now: Clock;
}
