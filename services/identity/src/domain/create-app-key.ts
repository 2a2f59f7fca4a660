import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { BodyCheck } from '#platform/validation.ts';
import { type AppKey, appKeysMax } from './app-key.ts';
import { auditedAppKey } from './audited-key.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import { nameCharacters } from './names.ts';
import type { IdentityContext } from './ports.ts';

/**
 * Makes an app key; its token is in this answer only.
 * @throws AppError `forbidden`, 422, `key_limit_reached`.
 */
export async function createAppKey(
  context: Pick<IdentityContext, 'appKeys' | 'tokens' | 'audit' | 'transaction' | 'now'>,
  caller: Caller,
  command: { name: string },
): Promise<{ appKey: AppKey; token: string }> {
  requireKeyManager(caller);
  new BodyCheck().text('name', command.name, nameCharacters).done();
  const { merchantId, userId } = caller;
  const now = context.now();
  const appKey = { id: newId(now.getTime()), merchantId, userId, name: command.name, createdAt: now };
  const token = await context.tokens.signApp({ userId, appKeyId: appKey.id }, now);
  await context.transaction(async () => {
    if (!(await context.appKeys.insert(appKey, appKeysMax))) throw refusal.keyLimitReached(appKeysMax);
    await context.audit.record(caller, auditedAppKey('app_key_created', appKey));
  });
  return { appKey, token };
}
