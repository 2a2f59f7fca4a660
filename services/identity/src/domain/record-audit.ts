import type { Caller } from '#platform/caller.ts';
import { newId } from '#platform/ids.ts';
import { type AuditedChange, actorOf } from './audit-entry.ts';
import type { ActorNames, AuditLogStore, AuditRecorder, Clock } from './ports.ts';

/** Writes the entry of a change, in the transaction under way. */
export function createAuditRecorder(auditLogs: AuditLogStore, names: ActorNames, now: Clock): AuditRecorder {
  return {
    async record(
      caller: Caller,
      { actor = actorOf(caller), merchantId = caller.merchantId, ...change }: AuditedChange,
    ) {
      if (merchantId === '') throw new TypeError(`The audit entry of ${change.action} names no merchant`);
      const timestamp = now();
      const known = await names.find([actor]);
      await auditLogs.insert({
        id: newId(timestamp.getTime()),
        merchantId,
        ...change,
        actorType: actor.type,
        actorId: actor.id,
        actorName: known.get(actor.id ?? '')?.name,
        actorEmail: known.get(actor.id ?? '')?.email,
        ipAddress: caller.ip,
        userAgent: caller.userAgent,
        requestId: caller.requestId,
        timestamp,
      });
    },
  };
}
