import type {
  ApiKey as ApiKeyMessage,
  AppKey as AppKeyMessage,
  User as UserMessage,
} from '#proto/identity/v1/identity.ts';
import type { ApiKey } from '../../domain/api-key.ts';
import type { AppKey } from '../../domain/app-key.ts';
import type { User } from '../../domain/user.ts';

export function toUserMessage(user: User): UserMessage {
  const { id, email, name, emailVerified, active, admin, image, location, website } = user;
  return { id, email, name, emailVerified, active, admin, image, location, website };
}

/** With the token only in the answer that makes the key. */
export function toAppKeyMessage({ id, name, createdAt }: AppKey, token?: string): AppKeyMessage {
  return { id, name, createdAt, token };
}

/** With the secret only in the answer that makes the key. */
export function toApiKeyMessage(key: ApiKey, secret?: string): ApiKeyMessage {
  const { id, name, prefix, scopes, fullAccess, createdAt, expiresAt } = key;
  return { id, name, prefix, scopes: [...scopes], fullAccess, createdAt, expiresAt, secret };
}
