import type { ApiKey, AppKey } from '#proto/identity/v1/identity.ts';
import { iso, isoAlways } from '../render.ts';

export function renderKey(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    fullAccess: key.fullAccess,
    createdAt: isoAlways(key.createdAt, 'createdAt'),
    expiresAt: iso(key.expiresAt),
    sandbox: key.sandbox,
    frozen: key.frozen,
    frozenAt: iso(key.frozenAt),
    rotatedAt: iso(key.rotatedAt),
    previousExpiresAt: iso(key.previousExpiresAt),
    lastUsedAt: iso(key.lastUsedAt),
  };
}

export function renderAppKey(key: AppKey) {
  return { id: key.id, name: key.name, createdAt: isoAlways(key.createdAt, 'createdAt') };
}
