import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { until } from '../support/api.ts';
import { sharedApi, sharedDemo } from '../support/shared-stack.ts';

const demo = sharedDemo();
const api = sharedApi();
const runFile = join(String(process.env.TEST_DATA_DIR), 'run.json');
const { ports } = JSON.parse(readFileSync(runFile, 'utf8')) as { ports: Record<string, number> };

async function scrape(service: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${ports[`${service}Health`]}/metrics`);
  expect(response.status).toBe(200);
  return response.text();
}

/** What a metric's samples add up to; undefined when there is none. */
function sumOf(text: string, name: string): number | undefined {
  const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
  return samples.length === 0 ? undefined : samples.reduce((sum, [, value]) => sum + Number(value), 0);
}

const ofAll = ['nodejs_eventloop_lag_seconds', 'nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'];
const ofRpcs = ['tallycard_rpc_total', 'tallycard_rpc_seconds_count'];
const expected: Record<string, string[]> = {
  gateway: [
    ...['tallycard_http_requests_total', 'tallycard_http_request_seconds_count'],
    'tallycard_credential_verdicts_total',
  ],
  identity: [
    ...ofRpcs,
    ...['tallycard_consumer_lag_events', 'tallycard_consumer_offset'],
    ...['tallycard_mails_waiting', 'tallycard_mails_lag_seconds', 'tallycard_mail_tries_total'],
    ...['tallycard_usage_unstored_counters', 'tallycard_usage_lag_seconds'],
  ],
  loyalty: ofRpcs,
  templates: ofRpcs,
  giftcards: [
    ...ofRpcs,
    ...['tallycard_ledger_group_commands_count', 'tallycard_ledger_commit_seconds_count'],
    ...['tallycard_ledger_conflicts_total', 'tallycard_ledger_lock_waits_total'],
    ...['tallycard_outbox_pending', 'tallycard_outbox_lag_seconds'],
  ],
  webhooks: [
    ...ofRpcs,
    ...['tallycard_consumer_lag_events', 'tallycard_webhook_queue_depth', 'tallycard_webhook_in_flight'],
    ...['tallycard_webhook_delivery_lag_seconds_count', 'tallycard_webhook_first_try_lag_seconds_count'],
  ],
};

test.each(Object.entries(expected))('%s tells operators how it does', async (service, names) => {
  const path = `/v2/giftcards/programs/${demo.programId}/cards`;
  const card = (await api.post(path, { initialValue: 1 })).body;
  await api.get(`${path}/${card.id}`);
  await Promise.all([api.get('/v2/templates'), api.get('/v2/webhooks')]);
  const missing = async () => {
    const text = await scrape(service);
    return [...ofAll, ...names].filter((name) => sumOf(text, name) === undefined);
  };
  await until(`${service} shows ${names}`, async () => (await missing()).length === 0);
});

test('what has been published is no longer waited for', async () => {
  const text = async () => scrape('giftcards');
  await until('the outbox is empty', async () => sumOf(await text(), 'tallycard_outbox_pending') === 0);
  expect(sumOf(await text(), 'tallycard_outbox_lag_seconds')).toBeLessThan(1);
});
