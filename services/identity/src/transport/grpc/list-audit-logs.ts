import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { AuditLog, ListAuditLogsRequest, ListAuditLogsResponse } from '#proto/identity/v1/identity.ts';
import type { AuditEntry } from '../../domain/audit-entry.ts';
import { listAuditLogs } from '../../domain/list-audit-logs.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { windowOf } from './window.ts';

const limitMax = 200;

export function listAuditLogsRpc(context: IdentityContext): UnaryHandler<ListAuditLogsRequest, ListAuditLogsResponse> {
  return async ({ page, ...filter }, { caller }) => {
    const window = windowOf(page, limitMax);
    const { entries, total, merchantName } = await listAuditLogs(context, caller, { ...filter, ...window });
    return { items: entries.map((entry) => toMessage(entry, merchantName)), total: BigInt(total) };
  };
}

function toMessage({ actorEmail: _, details, ...entry }: AuditEntry, merchantName: string | undefined): AuditLog {
  return { ...entry, merchantName, detailsJson: details && JSON.stringify(details) };
}
