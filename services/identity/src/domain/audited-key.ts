import type { ApiKey } from './api-key.ts';
import type { AppKey } from './app-key.ts';
import type { AuditedChange } from './audit-entry.ts';

type KeyAction = 'key_created' | 'key_rotated' | 'key_frozen' | 'key_unfrozen' | 'key_revoked';

/** A change of a hashed key, as the audit log tells of it: by its prefix, never by its secret. */
export function auditedKey(action: KeyAction, key: ApiKey, details: AuditedChange['details'] = {}): AuditedChange {
  return {
    action,
    resourceType: 'api_key',
    resourceId: key.id,
    resourceName: key.prefix,
    details: { name: key.name, ...details },
  };
}

/** A change of an app key; it has no prefix, so its name stands for it. */
export function auditedAppKey(action: 'app_key_created' | 'app_key_revoked', { id, name }: AppKey): AuditedChange {
  return { action, resourceType: 'app_key', resourceId: id, resourceName: name };
}
