import type { LedgerCommand, LedgerResult } from './ledger-command.ts';

/** A command with the promise that its caller holds. */
export interface QueuedCommand {
  readonly command: LedgerCommand;
  /** What it locks: its cards, by merchant. */
  readonly resources: readonly string[];
  readonly resolve: (result: LedgerResult) => void;
  readonly reject: (error: unknown) => void;
  /** Until when it waits for another replica's lock; 0 while it has met none. */
  lockDeadlineMs: number;
  /** Not to be taken earlier. */
  notBeforeMs: number;
}

/** More than this waiting means that the database does not keep up; then commands are turned away. */
const waitingMax = 10_000;

/**
 * Commands in order of arrival. A card is in one group at a time, and commands on the same card never overtake each
 * other within one try.
 */
export class LedgerQueue {
  #waiting: QueuedCommand[] = [];
  readonly #busyCards = new Set<string>();

  get size(): number {
    return this.#waiting.length;
  }

  /** False when the queue is full. */
  add(queued: QueuedCommand): boolean {
    if (this.#waiting.length >= waitingMax) return false;
    this.#waiting.push(queued);
    return true;
  }

  /** Puts a command that must wait for a lock back to the front. */
  putBack(queued: QueuedCommand): void {
    this.#waiting.unshift(queued);
  }

  /** Whether the command is still waiting. */
  holds(queued: QueuedCommand): boolean {
    return this.#waiting.includes(queued);
  }

  /** Takes up to `countMax` commands whose cards are in no other group, and marks those cards busy. */
  take(countMax: number, nowMs: number): QueuedCommand[] {
    const taken: QueuedCommand[] = [];
    const left: QueuedCommand[] = [];
    // A card of a command that stays behind stays behind with it: order is kept card by card.
    const blocked = new Set<string>();
    for (const queued of this.#waiting) {
      const { resources } = queued;
      const free = resources.every((resource) => !this.#busyCards.has(resource) && !blocked.has(resource));
      if (taken.length < countMax && free && queued.notBeforeMs <= nowMs) {
        taken.push(queued);
      } else {
        left.push(queued);
        for (const resource of resources) blocked.add(resource);
      }
    }
    for (const queued of taken) for (const resource of queued.resources) this.#busyCards.add(resource);
    this.#waiting = left;
    return taken;
  }

  /** Frees the cards of a group that is over. */
  release(group: readonly QueuedCommand[]): void {
    for (const queued of group) for (const resource of queued.resources) this.#busyCards.delete(resource);
  }

  /** When the first waiting command with a set time is due. */
  nextDueMs(): number | undefined {
    let due: number | undefined;
    for (const { notBeforeMs } of this.#waiting) {
      if (notBeforeMs > 0 && (due === undefined || notBeforeMs < due)) due = notBeforeMs;
    }
    return due;
  }
}
