import { listAuditLogs, listAuditLogsShapes } from '../handlers/audit/list-audit-logs.ts';
import { AuditLogPage } from '../schemas/audit.ts';
import { type Route, route } from './route.ts';

export const auditRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v2/giftcards/audit-logs',
    operationId: 'listAuditLogs',
    tag: 'Audit log',
    summary: 'List who did what to which record',
    description:
      'Newest first. What happens to a gift card appears shortly after; at most the newest 100,000 entries of the period are searched, so narrow it by `from` and `to` to see older ones.',
    auth: 'bearer',
    scope: 'privacy:read',
    public: true,
    request: listAuditLogsShapes,
    success: { status: 200, schema: AuditLogPage, description: 'A page of entries.' },
    errors: ['merchant_not_found'],
    limits: [{ limit: 'auditLogsPerUser', subject: (_input, { caller }) => caller.userId }],
    handler: listAuditLogs,
  }),
];
