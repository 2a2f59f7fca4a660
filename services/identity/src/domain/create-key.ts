import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { isScope, scopes } from '#platform/scopes.ts';
import { BodyCheck } from '#platform/validation.ts';
import { type ApiKey, apiKeysMax, shownPrefix } from './api-key.ts';
import { auditedKey } from './audited-key.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import { nameCharacters } from './names.ts';
import type { IdentityContext } from './ports.ts';

export interface CreateKeyCommand {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly fullAccess: boolean;
  readonly expiresAt?: Date;
  /** Makes a `tc_test_` key, which acts for the merchant's sandbox. */
  readonly sandbox: boolean;
}

/**
 * Makes a hashed API key; its secret is in this answer only.
 * @throws AppError `forbidden`, 422, `key_limit_reached`.
 */
export async function createKey(
  context: Pick<IdentityContext, 'apiKeys' | 'sandboxes' | 'secrets' | 'audit' | 'transaction' | 'now'>,
  caller: Caller,
  command: CreateKeyCommand,
): Promise<{ key: ApiKey; secret: string }> {
  requireKeyManager(caller);
  const now = context.now();
  check(command, now);
  const { secret, hash } = context.secrets.newApiKey(command.sandbox ? 'test' : 'live');
  const key: ApiKey = {
    id: newId(now.getTime()),
    merchantId: caller.merchantId,
    userId: caller.userId,
    name: command.name,
    prefix: shownPrefix(secret),
    scopes: scopes.filter((scope) => command.scopes.includes(scope)),
    fullAccess: command.fullAccess,
    createdAt: now,
    expiresAt: command.expiresAt,
    sandboxId: command.sandbox ? await context.sandboxes.ensure(caller.merchantId, now) : undefined,
  };
  await context.transaction(async () => {
    if (!(await context.apiKeys.insert(key, hash, apiKeysMax))) throw refusal.keyLimitReached(apiKeysMax);
    const { fullAccess, expiresAt } = key;
    const details = { scopes: key.scopes, fullAccess, expiresAt, sandbox: command.sandbox };
    await context.audit.record(caller, auditedKey('key_created', key, details));
  });
  return { key, secret };
}

function check(command: CreateKeyCommand, now: Date): void {
  const body = new BodyCheck().text('name', command.name, nameCharacters);
  const unknown = command.scopes.findIndex((scope) => !isScope(scope));
  if (unknown >= 0) body.oneOf(`scopes.${unknown}`, command.scopes[unknown], scopes);
  const inFuture = command.expiresAt === undefined || command.expiresAt > now;
  body.rule('expiresAt', inFuture, 'expiresAt must be in the future').done();
}
