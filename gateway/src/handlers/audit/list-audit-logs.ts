import type { AuditLog } from '#proto/identity/v1/identity.ts';
import type { Handler } from '../../routes/route.ts';
import { type AuditLogPage, AuditLogsQuery } from '../../schemas/audit.ts';
import { requireOwnMerchant } from '../giftcards/request-parts.ts';
import { isoAlways } from '../render.ts';

export const listAuditLogsShapes = { query: AuditLogsQuery };

/** Who did what to the merchant's records, newest first. */
export const listAuditLogs: Handler<typeof listAuditLogsShapes, typeof AuditLogPage> = async ({ query }, context) => {
  const { merchantId, action, resourceType, page, limit, ...filter } = query;
  requireOwnMerchant(merchantId, context);
  const { items, total } = await context.services.clients.identity.listAuditLogs(
    {
      ...filter,
      from: filter.from,
      to: filter.to,
      actions: action ?? [],
      resourceTypes: resourceType ?? [],
      page: { offset: (page - 1) * limit, limit },
    },
    context.caller,
    context.reading(),
  );
  const count = Number(total);
  return { body: { items: items.map(render), total: count, page, pages: Math.ceil(count / limit), limit } };
};

function render({ detailsJson, timestamp, ...entry }: AuditLog) {
  return {
    id: entry.id,
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId ?? null,
    actorId: entry.actorId ?? null,
    actorType: entry.actorType,
    subjectId: entry.subjectId ?? null,
    merchantId: entry.merchantId ?? null,
    ipAddress: entry.ipAddress ?? null,
    userAgent: entry.userAgent ?? null,
    requestId: entry.requestId ?? null,
    details: detailsJson === undefined ? null : (JSON.parse(detailsJson) as Record<string, unknown>),
    timestamp: isoAlways(timestamp, 'timestamp'),
    actorName: entry.actorName ?? null,
    subjectName: entry.subjectName ?? null,
    merchantName: entry.merchantName ?? null,
    resourceName: entry.resourceName ?? null,
  };
}
