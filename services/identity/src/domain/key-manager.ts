import type { Caller } from '#platform/grpc/caller.ts';
import { refusal } from './errors.ts';

/** Keys are managed by a user or an app key, never by a hashed key. @throws AppError `forbidden` otherwise. */
export function requireKeyManager(caller: Caller): void {
  if (caller.kind !== 'user' && caller.kind !== 'app_key') throw refusal.forbidden();
}
