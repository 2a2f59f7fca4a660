import type { Scope } from '#platform/scopes.ts';

/** Whom a credential stands for. */
export interface Principal {
  readonly merchantId: string;
  readonly userId: string;
  readonly kind: 'user' | 'app_key' | 'api_key';
  /** Session, app key or API key: what is published when it is revoked. */
  readonly credentialId: string;
  /** Of a hashed key; the other kinds have implicit access. */
  readonly scopes: readonly Scope[];
  readonly fullAccess: boolean;
  /** Only of an access token: no key administers anything. */
  readonly admin?: boolean;
  readonly expiresAt?: Date;
}
