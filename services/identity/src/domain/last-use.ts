import type { ApiKey } from './api-key.ts';
import type { IdentityContext } from './ports.ts';

/** A key, and when it was last used, as far as that is stored: some seconds late. */
export interface KeyWithLastUse {
  readonly key: ApiKey;
  readonly lastUsedAt?: Date;
}

/** The same keys of one merchant, each with its last use. */
export async function withLastUse(
  { usage }: Pick<IdentityContext, 'usage'>,
  merchantId: string,
  keys: readonly ApiKey[],
): Promise<KeyWithLastUse[]> {
  const ids = keys.map(({ id }) => id);
  const lastUsed = await usage.lastUsed(merchantId, ids);
  return keys.map((key) => ({ key, lastUsedAt: lastUsed.get(key.id) }));
}
