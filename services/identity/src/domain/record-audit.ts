import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { type AuditEntry, type AuditedChange, actorOf } from './audit-entry.ts';
import type { ActorNames, AuditLogStore, AuditRecorder } from './audit-ports.ts';
import type { Clock } from './ports.ts';

/** Writes the entry of a change, in the transaction under way. */
export function createAuditRecorder(auditLogs: AuditLogStore, names: ActorNames, now: Clock): AuditRecorder {
  const toEntry = async (
    caller: Caller,
    { actor = actorOf(caller), merchantId = caller.merchantId, ...change }: AuditedChange,
  ): Promise<AuditEntry> => {
    if (merchantId === '') throw new TypeError(`The audit entry of ${change.action} names no merchant`);
    const timestamp = now();
    const known = await names.find([actor]);
    return {
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
    };
  };
  return {
    record: async (caller, change) => auditLogs.insert(await toEntry(caller, change)),
    recordOfNobody: async (caller, change) => auditLogs.insertOfNobody(await toEntry(caller, change)),
  };
}
