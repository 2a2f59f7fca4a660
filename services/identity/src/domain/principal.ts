import type { Scope } from '#platform/scopes.ts';
import type { MeteringLimits } from './plan.ts';

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
  /** A frozen hashed key is known, and may call nothing. */
  readonly frozen?: boolean;
  /** Whether it stands for the merchant's sandbox; `merchantId` is the sandbox's then. */
  readonly sandbox?: boolean;
  /** Of hashed keys. */
  readonly metering?: Metering;
}

/** What a hashed key may call, and what it has called in a month as far as that is stored. */
export interface Metering extends MeteringLimits {
  /** YYYY-MM in UTC. */
  readonly month: string;
  readonly calls: number;
}
