import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { BodyCheck } from '#platform/validation.ts';
import { earlier, graceHoursMax, shownPrefix } from './api-key.ts';
import { auditedKey } from './audited-key.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import { type KeyWithLastUse, withLastUse } from './last-use.ts';
import type { IdentityContext } from './ports.ts';

const hourMs = 3_600_000;

/**
 * Gives a hashed key a new secret, which is in this answer only. The one in force until now works for `graceHours`
 * more; an older one stops at once, so that never more than two work. Of rotations at the same time one succeeds: the
 * others would have put an end to a secret that somebody was just shown.
 * @throws AppError `forbidden`, 422, `not_found`, `key_not_active` when it is frozen or expired, `conflict`.
 */
export async function rotateKey(
  context: Pick<IdentityContext, 'apiKeys' | 'usage' | 'secrets' | 'revocations' | 'audit' | 'transaction' | 'now'>,
  caller: Caller,
  { id, graceHours }: { id: string; graceHours: number },
): Promise<KeyWithLastUse & { secret: string }> {
  requireKeyManager(caller);
  new BodyCheck().int('graceHours', graceHours, { min: 0, max: graceHoursMax }).done();
  const found = isId(id) ? await context.apiKeys.get(caller.merchantId, id) : undefined;
  if (found === undefined) throw refusal.keyNotFound();
  const { key, hash: fromHash } = found;
  const now = context.now();
  if (key.frozenAt !== undefined) throw refusal.keyNotActive('frozen');
  if (key.expiresAt !== undefined && key.expiresAt <= now) throw refusal.keyNotActive('expired');

  // Before the change: from then on nothing may fail, since the secret would be lost.
  const lastUsedAt = (await withLastUse(context, caller.merchantId, [key]))[0]?.lastUsedAt;
  const { secret, hash } = context.secrets.newApiKey(key.sandboxId === undefined ? 'live' : 'test');
  const graceEnd = earlier(new Date(now.getTime() + graceHours * hourMs), key.expiresAt);
  const previousExpiresAt = graceHours > 0 ? graceEnd : undefined;
  const rotation = { fromHash, hash, prefix: shownPrefix(secret), rotatedAt: now, previousExpiresAt };
  const rotated = await context.transaction(async () => {
    const changed = await context.apiKeys.rotate(caller.merchantId, id, rotation);
    if (changed === undefined) throw refusal.keyChanged();
    const details = { previousPrefix: key.prefix, graceHours };
    await context.audit.record(caller, auditedKey('key_rotated', changed, details));
    return changed;
  });
  await context.revocations.publish(id);
  return { key: rotated, lastUsedAt, secret };
}
