import type {
  ApiKey as ApiKeyMessage,
  AppKey as AppKeyMessage,
  MerchantPlan as MerchantPlanMessage,
  MeteringLimits as MeteringLimitsMessage,
  User as UserMessage,
} from '#proto/identity/v1/identity.ts';
import type { ApiKey } from '../../domain/api-key.ts';
import type { AppKey } from '../../domain/app-key.ts';
import type { MerchantPlan, MeteringLimits } from '../../domain/plan.ts';
import type { User } from '../../domain/user.ts';

export function toUserMessage(user: User): UserMessage {
  const { id, email, name, emailVerified, active, admin, image, location, website } = user;
  return { id, email, name, emailVerified, active, admin, image, location, website };
}

/** With the token only in the answer that makes the key. */
export function toAppKeyMessage({ id, name, createdAt }: AppKey, token?: string): AppKeyMessage {
  return { id, name, createdAt, token };
}

/** With the secret only in the answer that makes it. */
export function toApiKeyMessage(
  key: ApiKey,
  { secret, lastUsedAt }: { secret?: string; lastUsedAt?: Date } = {},
): ApiKeyMessage {
  const { id, name, prefix, scopes, fullAccess, createdAt, expiresAt, frozenAt, rotatedAt, previousExpiresAt } = key;
  return {
    ...{ id, name, prefix, scopes: [...scopes], fullAccess, createdAt, expiresAt, rotatedAt, previousExpiresAt },
    ...{ sandbox: key.sandboxId !== undefined, frozen: frozenAt !== undefined, frozenAt, lastUsedAt, secret },
  };
}

export function toLimitsMessage({ perMinute, perHour, perMonth }: MeteringLimits): MeteringLimitsMessage {
  return { perMinute, perHour, perMonth: perMonth === undefined ? undefined : BigInt(perMonth) };
}

export function toPlanMessage(merchant: { plan: MerchantPlan; limits: MeteringLimits }): MerchantPlanMessage {
  const { merchantId, plan } = merchant.plan;
  return { merchantId, plan, limits: toLimitsMessage(merchant.limits) };
}
