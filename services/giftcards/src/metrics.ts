import { Counter, Histogram, type Registry } from 'prom-client';
import type { LedgerMetrics } from './domain/ledger.ts';

/** Size and time of the ledger's commits, and what got in their way. */
export function createLedgerMetrics(registry: Registry): LedgerMetrics {
  const registers = [registry];
  const size = new Histogram({
    name: 'tallycard_ledger_group_commands',
    help: 'Commands that committed together',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  });
  const seconds = new Histogram({
    name: 'tallycard_ledger_commit_seconds',
    help: 'Time to read, apply and commit a group',
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  });
  const conflicts = new Counter({
    name: 'tallycard_ledger_conflicts_total',
    help: 'Commits that another writer forestalled',
    registers,
  });
  const lockWaits = new Counter({
    name: 'tallycard_ledger_lock_waits_total',
    help: 'Times a command found its card locked by another replica',
    registers,
  });
  return {
    committed(commands, durationMs) {
      size.observe(commands);
      seconds.observe(durationMs / 1000);
    },
    conflict: () => conflicts.inc(),
    lockWait: () => lockWaits.inc(),
  };
}
