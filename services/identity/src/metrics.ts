import { Counter, type Registry } from 'prom-client';
import type { MailMetrics, MailQueue } from '#platform/mail/queue.ts';
import { createReadGauge } from '#platform/telemetry/metrics.ts';
import type { UsageCounters } from './domain/ports.ts';

/** Mails that wait, and what became of tries. */
export function createMailMetrics(registry: Registry, mails: MailQueue): MailMetrics {
  createReadGauge(registry, { name: 'tallycard_mails_waiting', help: 'Mails that are not sent yet' }, () =>
    mails.waiting(),
  );
  createReadGauge(
    registry,
    { name: 'tallycard_mails_lag_seconds', help: 'Age of the oldest mail that is not sent yet' },
    async () => {
      const oldest = await mails.oldestAt();
      return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.getTime()) / 1000;
    },
  );
  const tries = new Counter({
    name: 'tallycard_mail_tries_total',
    help: 'Tries to send a mail, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // From 0 on, so that the first mail that is given up is a rise.
  tries.inc({ outcome: 'given_up' }, 0);
  return { tried: (outcome) => tries.inc({ outcome }) };
}

/** Metered calls that are in Redis only: they would be lost with it. */
export function watchUsage(registry: Registry, usage: UsageCounters): void {
  createReadGauge(
    registry,
    { name: 'tallycard_usage_unstored_counters', help: 'Counters of metered calls whose change is not stored yet' },
    async () => (await usage.waiting()).counters,
  );
  createReadGauge(
    registry,
    {
      name: 'tallycard_usage_lag_seconds',
      help: 'How long metered calls may have waited to be stored; 0 when none do',
    },
    async () => (await usage.waiting()).ageMs / 1000,
  );
}
