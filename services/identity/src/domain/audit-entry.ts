import type { Caller } from '#platform/grpc/caller.ts';

/** What audit entries tell of: a contract with whoever filters by it. */
export const auditActions = [
  'login_succeeded',
  'login_failed',
  'session_ended',
  'mfa_enabled',
  'mfa_disabled',
  'mfa_reset',
  'signup_created',
  'signup_verified',
  'user_created',
  'admin_granted',
  'user_activated',
  'user_deactivated',
  'app_key_created',
  'app_key_revoked',
  'key_created',
  'key_rotated',
  'key_frozen',
  'key_unfrozen',
  'key_revoked',
  'plan_changed',
] as const;
export type AuditAction = (typeof auditActions)[number];

export type AuditResourceType = 'user' | 'api_key' | 'app_key' | 'merchant' | 'gift_card';

/** Whoever did it: a user, or the key itself when a key was used. */
export interface AuditActor {
  /** `system` when nobody asked, as at expiry; `unknown` when the event does not tell. */
  readonly type: Caller['kind'] | 'system' | 'unknown';
  /** The user's or the key's id; absent for the other kinds. */
  readonly id?: string;
}

/** A change as a use case tells of it. */
export interface AuditedChange {
  readonly action: AuditAction;
  readonly resourceType: AuditResourceType;
  readonly resourceId?: string;
  readonly resourceName?: string;
  /** The person whom it concerns. */
  readonly subjectId?: string;
  readonly subjectName?: string;
  readonly subjectEmail?: string;
  /** Small, and never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** In place of the caller's, for callers who have none yet (a log-in) or act on another (an administrator). */
  readonly merchantId?: string;
  /** In place of the caller, for instance who has just logged in. */
  readonly actor?: AuditActor;
}

/** Who did what to which record from where. Written once, and never changed. */
export interface AuditEntry {
  readonly id: string;
  readonly merchantId: string;
  readonly action: string;
  readonly resourceType: AuditResourceType;
  readonly resourceId?: string;
  readonly resourceName?: string;
  readonly actorType: AuditActor['type'];
  readonly actorId?: string;
  /** As it was then. */
  readonly actorName?: string;
  readonly actorEmail?: string;
  readonly subjectId?: string;
  readonly subjectName?: string;
  readonly subjectEmail?: string;
  readonly ipAddress?: string;
  readonly userAgent?: string;
  readonly requestId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly timestamp: Date;
}

/** The actor that a caller is. */
export function actorOf({ kind, userId, credentialId }: Omit<Caller, 'merchantId'>): AuditActor {
  const id = kind === 'user' ? userId : credentialId;
  return { type: kind, id: id === '' ? undefined : id };
}

/** How the audit log names a user. */
export function aboutUser({ id, name, email }: { id: string; name?: string; email: string }) {
  const shown = name ?? email;
  const subject = { subjectId: id, subjectName: shown, subjectEmail: email };
  return { resourceType: 'user', resourceId: id, resourceName: shown, ...subject } as const;
}
