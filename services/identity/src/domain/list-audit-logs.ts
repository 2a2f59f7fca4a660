import type { Caller } from '#platform/grpc/caller.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditFilter } from './audit-ports.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';

export interface ListAuditLogs extends AuditFilter {
  /** A part of the merchant's name. There is one merchant in an answer, so it keeps all or nothing. */
  readonly merchantName?: string;
  readonly offset: number;
  readonly limit: number;
}

/**
 * The caller's merchant's audit entries, newest first, and the merchant's name.
 * @throws AppError `forbidden` for a caller without a merchant.
 */
export async function listAuditLogs(
  context: Pick<IdentityContext, 'auditLogs' | 'users'>,
  { merchantId }: Caller,
  { merchantName: wanted, offset, limit, ...filter }: ListAuditLogs,
): Promise<{ entries: AuditEntry[]; total: number; merchantName?: string }> {
  if (merchantId === '') throw refusal.forbidden();
  const owner = await context.users.get(merchantId);
  const merchantName = owner?.company ?? owner?.name;
  const matches = wanted === undefined || merchantName?.toLowerCase().includes(wanted.toLowerCase());
  if (!matches) return { entries: [], total: 0, merchantName };
  return { ...(await context.auditLogs.list(merchantId, filter, { offset, limit })), merchantName };
}
