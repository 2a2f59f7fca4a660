import type { Caller } from '#platform/grpc/caller.ts';
import type { Transaction } from '#platform/mongo/mongo.ts';
import type { AuditActor, AuditEntry, AuditedChange } from './audit-entry.ts';
import type { Window } from './paging.ts';

/** Keeps audit entries. There is no way to change or remove one. */
export interface AuditLogStore {
  insert(entry: AuditEntry): Promise<void>;
  /** Keeps an entry that is no merchant's, for a while and outside the log. */
  insertOfNobody(entry: AuditEntry): Promise<void>;
  /** Adds those whose id is not there yet; outside a transaction. */
  insertNew(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first. Looks through the newest entries of the filter's period only, as many as it says. */
  list(merchantId: string, filter: AuditFilter, window: Window): Promise<{ entries: AuditEntry[]; total: number }>;
}

/** What narrows a list of audit entries; all of it together. */
export interface AuditFilter {
  readonly subjectId?: string;
  readonly actorId?: string;
  /** Names are matched in part, whatever their case. */
  readonly subjectName?: string;
  /** Or the actor's e-mail. */
  readonly actorName?: string;
  /** Any of them; empty: all. */
  readonly actions: readonly string[];
  readonly resourceTypes: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
}

export interface ActorName {
  readonly name?: string;
  /** Of users. */
  readonly email?: string;
}

export interface ActorNames {
  /** By id; whoever is not known any more is left out. */
  find(actors: readonly AuditActor[]): Promise<ReadonlyMap<string, ActorName>>;
}

export interface AuditRecorder {
  /**
   * Tells of a change, inside the {@link Transaction} of the change itself: both are stored, or neither.
   * @throws TypeError when neither the caller nor the change names a merchant.
   */
  record(caller: Caller, change: AuditedChange): Promise<void>;
  /** Does the work of {@link AuditRecorder.record} for nobody's log, so that time does not tell who has an account. */
  recordOfNobody(caller: Caller, change: AuditedChange): Promise<void>;
}
