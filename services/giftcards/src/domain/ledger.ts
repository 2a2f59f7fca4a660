import type { LockLease, LockManager } from '#platform/redis/lock.ts';
import { delay } from '#platform/retry.ts';
import { refusal } from './errors.ts';
import type { LedgerCommand, LedgerResult } from './ledger-command.ts';
import { LedgerGroup, type Outcome } from './ledger-group.ts';
import { LedgerQueue, type QueuedCommand } from './ledger-queue.ts';
import type { Clock, CodeAttempts, LedgerState, LedgerStore } from './ports.ts';

export interface LedgerDeps {
  readonly store: LedgerStore;
  readonly locks: LockManager;
  readonly codeAttempts: CodeAttempts;
  readonly clock: Clock;
  readonly metrics: LedgerMetrics;
}

export interface LedgerMetrics {
  /** One group committed `commands` in `durationMs`. */
  committed(commands: number, durationMs: number): void;
  /** A commit that another writer forestalled. */
  conflict(): void;
  /** A command that found its card locked by another replica. */
  lockWait(): void;
}

/** Commands in one commit at most. */
const groupMax = 64;
/** Groups under way at once; they never share a card. While one commits, the next one is read and applied. */
const groupsMax = 2;
/** With a group under way, another one begins only with so many commands: small groups cost more than waiting for the next. */
const furtherGroupMin = 24;
/** How long a command waits for a card that another replica holds. */
const lockWaitMsMax = 250;
const lockRetryMs = 15;
/** A lock outlives any usual commit; when its holder died, its cards are free again after this. */
const lockTtlMs = 5_000;
/** Tries of a whole group before it is split, and of a single command before it is given up. */
const groupTriesMax = 2;
const singleTriesMax = 12;

/**
 * The card ledger: the only way to a balance. Commands that wait while a commit is under way go into the next one
 * together (group commit), and each is accepted or refused on its own. Card locks keep replicas out of each other's way;
 * what makes it correct are the conditional updates of the commit.
 */
export class Ledger {
  readonly #deps: LedgerDeps;
  readonly #queue = new LedgerQueue();
  /** Groups that are not over, the release of their locks included. */
  readonly #running = new Set<Promise<void>>();
  /** Groups that are not committed yet. */
  #committing = 0;
  #pumpIsDue = false;
  readonly #claimed = new Set<string>();
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /**
   * Applies a command and resolves once it is committed.
   * @throws AppError what the command refused with, `card_locked`, `idempotency_in_progress` or `unavailable`.
   */
  async submit(command: LedgerCommand): Promise<LedgerResult> {
    const recordId = command.idempotency?.recordId;
    if (recordId === undefined) return this.#enqueue(command);
    if (this.#claimed.has(recordId)) throw refusal.idempotencyInProgress();
    this.#claimed.add(recordId);
    try {
      return await this.#enqueue(command);
    } finally {
      this.#claimed.delete(recordId);
    }
  }

  /** Resolves when nothing is under way any more. */
  async drain(): Promise<void> {
    while (this.#running.size > 0 || this.#queue.size > 0) {
      await Promise.all(this.#running);
      await delay(1);
    }
  }

  #enqueue(command: LedgerCommand): Promise<LedgerResult> {
    return new Promise((resolve, reject) => {
      // By merchant: who names a card that is not theirs keeps nobody from it, and learns nothing from a lock.
      const resources = command.cardIds.map((id) => `${command.merchantId}:${id}`);
      const queued = { command, resources, resolve, reject, lockDeadlineMs: 0, notBeforeMs: 0 };
      if (!this.#queue.add(queued)) reject(refusal.overloaded());
      else this.#pumpSoon();
    });
  }

  /** After the input that has already arrived is read: what comes together goes together. */
  #pumpSoon(): void {
    if (this.#pumpIsDue || this.#committing >= groupsMax) return;
    this.#pumpIsDue = true;
    setImmediate(() => {
      this.#pumpIsDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#mayBegin()) {
      const group = this.#queue.take(groupMax, performance.now());
      if (group.length === 0) break;
      const run: Promise<void> = this.#runGroup(group).finally(() => {
        this.#running.delete(run);
        this.#queue.release(group);
        this.#pumpSoon();
      });
      this.#running.add(run);
    }
    this.#wakeForRetry();
  }

  #mayBegin(): boolean {
    return this.#committing === 0 || (this.#committing < groupsMax && this.#queue.size >= furtherGroupMin);
  }

  /** Commands that wait for another replica's lock come up again without a new arrival. */
  #wakeForRetry(): void {
    clearTimeout(this.#retryTimer);
    const dueMs = this.#queue.nextDueMs();
    if (dueMs === undefined || this.#committing >= groupsMax) return;
    this.#retryTimer = setTimeout(() => this.#pump(), Math.max(1, dueMs - performance.now()));
  }

  async #runGroup(group: readonly QueuedCommand[]): Promise<void> {
    const leases: LockLease[] = [];
    this.#committing += 1;
    try {
      // Read while the locks are being taken: what makes a commit right are its conditions.
      const reading = this.#read(group);
      const locked = await this.#lock(group, leases);
      if (locked.length > 0) await this.#commit(locked, groupTriesMax, reading);
    } catch (error) {
      // What went back to the queue is still to come: it must not be told an outcome now.
      for (const queued of group) if (!this.#queue.holds(queued)) queued.reject(error);
    } finally {
      // The next group may begin; this one's cards stay its own until their locks are free.
      this.#committing -= 1;
      this.#pumpSoon();
      await Promise.all(leases.map((lease) => lease.release()));
    }
  }

  #read(group: readonly QueuedCommand[]): Promise<LedgerState> {
    const reading = this.#deps.store.load(needs(group.map((queued) => queued.command)));
    // Its failure is seen by whoever awaits it; a group that gets no locks awaits nothing.
    reading.catch(() => undefined);
    return reading;
  }

  /** Locks all cards of the group in one call; when one is taken, each command's own, and puts back those that must wait. */
  async #lock(group: readonly QueuedCommand[], leases: LockLease[]): Promise<readonly QueuedCommand[]> {
    const resources = new Set(group.flatMap((queued) => queued.resources));
    if (resources.size === 0) return group;
    const all = await this.#deps.locks.acquire([...resources], lockTtlMs);
    if (all !== undefined) {
      leases.push(all);
      return group;
    }
    // Commands of one group may share cards: a card that this group holds already is not asked for again.
    const held = new Set<string>();
    const locked: QueuedCommand[] = [];
    for (const queued of group) {
      const missing = queued.resources.filter((resource) => !held.has(resource));
      const lease = missing.length === 0 ? undefined : await this.#deps.locks.acquire(missing, lockTtlMs);
      if (missing.length > 0 && lease === undefined) {
        this.#waitForLock(queued);
        continue;
      }
      if (lease !== undefined) leases.push(lease);
      for (const resource of missing) held.add(resource);
      locked.push(queued);
    }
    return locked;
  }

  #waitForLock(queued: QueuedCommand): void {
    const nowMs = performance.now();
    this.#deps.metrics.lockWait();
    queued.lockDeadlineMs ||= nowMs + lockWaitMsMax;
    if (nowMs >= queued.lockDeadlineMs) {
      queued.reject(refusal.cardLocked());
      return;
    }
    queued.notBeforeMs = Math.min(queued.lockDeadlineMs, nowMs + lockRetryMs * (0.5 + Math.random()));
    this.#queue.putBack(queued);
  }

  /** Commits the commands together; after conflicts in halves, down to one by one, so none fails for another's fault. */
  async #commit(group: readonly QueuedCommand[], triesMax: number, firstReading?: Promise<LedgerState>): Promise<void> {
    for (let attempt = 1; attempt <= triesMax; attempt += 1) {
      const reading = attempt === 1 ? firstReading : undefined;
      if (await this.#tryCommit(group, await (reading ?? this.#read(group)))) return;
      this.#deps.metrics.conflict();
      if (attempt > 1) await delay(2 ** Math.min(attempt, 6) * Math.random());
    }
    if (group.length === 1) {
      group[0]?.reject(refusal.cardLocked());
      return;
    }
    const middle = Math.ceil(group.length / 2);
    for (const half of [group.slice(0, middle), group.slice(middle)]) {
      await this.#commit(half, half.length === 1 ? singleTriesMax : groupTriesMax);
    }
  }

  /** One pass in memory over what was read, one transaction. Nobody hears of an outcome before it is durable. */
  async #tryCommit(group: readonly QueuedCommand[], state: LedgerState): Promise<boolean> {
    const startedAt = performance.now();
    const commands = group.map((queued) => queued.command);
    const codeCardIds = [...new Set(commands.flatMap((command) => command.codeCardId ?? []))];
    const codeFailures = await this.#deps.codeAttempts.load(codeCardIds);
    const ledgerGroup = new LedgerGroup(state, codeFailures, this.#deps.clock());
    const outcomes = commands.map((command) => ledgerGroup.apply(command));
    const commit = ledgerGroup.commit();
    if (commit !== undefined && !(await this.#deps.store.commit(commit))) return false;
    this.#deps.metrics.committed(group.length, performance.now() - startedAt);
    group.forEach((queued, index) => {
      const outcome = outcomes[index] as Outcome;
      if ('result' in outcome) queued.resolve(outcome.result);
    });
    // A wrong code is counted before its caller learns that it was wrong.
    if (ledgerGroup.failedCodes.length > 0) await this.#deps.codeAttempts.recordFailures(ledgerGroup.failedCodes);
    group.forEach((queued, index) => {
      const outcome = outcomes[index] as Outcome;
      if ('refused' in outcome) queued.reject(outcome.refused);
    });
    return true;
  }
}

function needs(commands: readonly LedgerCommand[]) {
  return {
    cardIds: [...new Set(commands.flatMap((command) => command.cardIds))],
    idempotencyIds: commands.flatMap((command) => command.idempotency?.recordId ?? []),
    redemptionIds: [...new Set(commands.flatMap((command) => command.redemptionId ?? []))],
  };
}
