import type { Caller } from '#platform/grpc/caller.ts';
import { refusal } from './errors.ts';

/** @returns the merchant's id. @throws AppError `forbidden` for a caller that acts for none. */
export function merchantOf({ kind, merchantId }: Caller): string {
  if (kind !== 'user' && kind !== 'app_key' && kind !== 'api_key') throw refusal.forbidden();
  return merchantId;
}
