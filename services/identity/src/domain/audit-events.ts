import type { DomainEvent } from '#platform/kafka/kafka.ts';
import { type AuditActor, type AuditEntry, actorOf } from './audit-entry.ts';
import type { ActorName } from './audit-ports.ts';
import type { IdentityContext } from './ports.ts';

const unknown: AuditActor = { type: 'unknown' };

/** Writes the audit entry of each event about a gift card; one that comes again adds nothing. */
export function auditEvents(context: Pick<IdentityContext, 'auditLogs' | 'actorNames'>) {
  return async (events: readonly DomainEvent[]): Promise<void> => {
    const audited = events.filter(({ type }) => type.startsWith('giftcard.'));
    if (audited.length === 0) return;
    const names = await context.actorNames.find(audited.map(actorOfEvent));
    await context.auditLogs.insertNew(audited.map((event) => toEntry(event, names)));
  };
}

function actorOfEvent({ actor }: DomainEvent): AuditActor {
  if (actor === undefined) return unknown;
  return actor.kind === 'system' ? { type: 'system' } : actorOf(actor);
}

function toEntry(event: DomainEvent, names: ReadonlyMap<string, ActorName>): AuditEntry {
  const { source, destination, ...data } = event.data as EventData;
  const card = source ?? data;
  const { type: actorType, id: actorId } = actorOfEvent(event);
  const name = names.get(actorId ?? '');
  const caller = event.actor?.kind === 'system' ? undefined : event.actor;
  return {
    id: event.id,
    merchantId: event.merchantId,
    action: actionOf(event.type),
    resourceType: 'gift_card',
    resourceId: text(card.cardId),
    resourceName: card.lastFourDigits === undefined ? undefined : `**** ${card.lastFourDigits}`,
    ...{ actorType, actorId, actorName: name?.name, actorEmail: name?.email },
    ipAddress: caller?.ip,
    userAgent: caller?.userAgent,
    requestId: caller?.requestId,
    details: { ...detailsOf(data), ...detailsOf(card), destinationCardId: text(destination?.cardId) },
    timestamp: timeOf(event),
  };
}

/** When it happened; the time of its arrival when it did not say. */
function timeOf({ timestamp }: DomainEvent): Date {
  const at = new Date(timestamp);
  return Number.isNaN(at.getTime()) ? new Date() : at;
}

type EventData = Readonly<Record<string, unknown>> & {
  readonly source?: Readonly<Record<string, unknown>>;
  readonly destination?: Readonly<Record<string, unknown>>;
};

/** `giftcard.bulk.completed` → `gift_card_bulk_completed`. */
const actionOf = (type: string) => `gift_card_${type.slice('giftcard.'.length).replaceAll('.', '_')}`;

/** What an entry keeps of an event: named one by one, so that nothing else ever gets in. */
const kept = [
  'programId',
  'amount',
  'currency',
  'balance',
  'status',
  'reason',
  'transferId',
  'transactionId',
  'taskId',
];

function detailsOf(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(kept.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
