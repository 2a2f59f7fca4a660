import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '#stack/stack.ts';
import type { Stack } from '#stack/stack-options.ts';
import { createFixture, type Fixture, pickTwo } from './fixture.ts';
import { GatewayCost, type MemoryRow } from './gateway-cost.ts';
import { compare, type Row } from './measure.ts';
import { residentMb } from './process-stats.ts';
import { createRawLoop, type RawLoop } from './raw-loop.ts';
import { measureTransferCosts } from './transfer-cost.ts';

type Bench = (fixture: Fixture, raw: RawLoop) => AsyncGenerator<Row>;

const clientCounts = [1, 16, 64, 128];
const rawName = 'raw driver loop, one transaction a transfer';

const benches: Record<string, Bench> = {
  async *transfers(fixture, raw) {
    for (const clients of clientCounts) {
      const work = (client: number) => transfer(fixture, client, false);
      yield compare('transfers', clients, work, { name: rawName, work: (_, signal) => raw.transfer(false, signal) });
    }
  },
  async *'transfers-hot-card'(fixture, raw) {
    for (const clients of clientCounts) {
      const work = (client: number) => transfer(fixture, client, true);
      yield compare('transfers-hot-card', clients, work, {
        name: rawName,
        work: (_, signal) => raw.transfer(true, signal),
      });
    }
  },
  async *'card-get'(fixture, raw) {
    const path = `/v2/giftcards/programs/${fixture.programId}/cards/`;
    const work = (client: number) => fixture.call(client, 'GET', path + pickTwo(fixture.cards)[0].id);
    yield compare('card-get', 32, work, { name: 'raw findOne loop', work: () => raw.findCard() });
  },
};

function transfer(fixture: Fixture, client: number, hot: boolean): Promise<unknown> {
  const [source, destination] = pickTwo(fixture.cards, hot ? fixture.hotCard : undefined);
  const path = `/v2/giftcards/programs/${fixture.programId}/cards/${source.id}/transfer`;
  const body = { securityCode: source.code, destinationCardNumber: destination.number, amount: '0.01' };
  return fixture.call(client, 'POST', path, body, { 'idempotency-key': randomUUID() });
}

const services = ['gateway', 'identity', 'loyalty', 'templates', 'giftcards', 'webhooks'];

/** Resident memory of each of our processes in MB. */
function memoryOf(stack: Stack): Record<string, number> {
  return Object.fromEntries(services.map((name) => [name, residentMb(stack.process(name).pid ?? 0)]));
}

function printRow(row: Row): void {
  const cells = [
    row.name.padEnd(26),
    String(row.clients).padStart(7),
    String(row.perSecond).padStart(9),
    row.p50Ms.toFixed(2).padStart(9),
    row.p99Ms.toFixed(2).padStart(9),
    String(row.againstPerSecond).padStart(9),
    row.againstP50Ms.toFixed(2).padStart(9),
    `${row.ratio.toFixed(2)}×`.padStart(8),
    ` ${row.against}`,
  ];
  process.stdout.write(`${cells.join('')}\n`);
}

const header = `${'name'.padEnd(26)}clients    per s   p50 ms   p99 ms    raw/s  raw p50    ratio  against\n`;

const gatewayCost = 'gateway-cost';
const transferCost = 'transfer-cost';

async function main(args: readonly string[]): Promise<void> {
  const json = args.includes('--json');
  const names = args.filter((arg) => !arg.startsWith('--'));
  const known = [...Object.keys(benches), gatewayCost, transferCost];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no such benchmark: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const chosen = names.length > 0 ? names : known;
  const rows: object[] = [];
  const take = (row: Row) => {
    rows.push(row);
    if (!json) printRow(row);
  };
  const onStack = chosen.filter((name) => name in benches);
  if (onStack.length > 0) await measureStack(onStack, json, take);
  if (chosen.includes(gatewayCost)) rows.push(...(await measureGateway(json, args.includes('--cpu-prof'), take)));
  if (chosen.includes(transferCost)) rows.push(...(await measureCosts(json)));
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
}

async function withFixture(quiet: boolean, use: (fixture: Fixture) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallycard-bench-'));
  const stack = await startStack({ dataDir, env: { LOG_LEVEL: 'warn' }, quiet });
  try {
    const fixture = await createFixture(stack);
    await use(fixture);
    fixture.close();
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function measureStack(names: readonly string[], quiet: boolean, take: (row: Row) => void): Promise<void> {
  return withFixture(quiet, async (fixture) => {
    const raw = await createRawLoop(fixture.stack.uris.mongodbUri);
    if (!quiet) process.stdout.write(header);
    for (const name of names) for await (const row of (benches[name] as Bench)(fixture, raw)) take(row);
    const memory = Object.entries(memoryOf(fixture.stack)).map(([name, mb]) => `${name} ${mb}`);
    if (!quiet) process.stdout.write(`resident MB at the end: ${memory.join(', ')}\n`);
    await raw.close();
  });
}

async function measureCosts(quiet: boolean): Promise<object[]> {
  const rows: object[] = [];
  await withFixture(quiet, async (fixture) => {
    for await (const row of measureTransferCosts(fixture)) {
      rows.push(row);
      if (!quiet) process.stdout.write(`${JSON.stringify(row)}\n`);
    }
  });
  return rows;
}

async function measureGateway(quiet: boolean, profile: boolean, take: (row: Row) => void): Promise<MemoryRow[]> {
  const bench = await GatewayCost.start(profile ? process.cwd() : undefined);
  const memory: MemoryRow[] = [];
  try {
    if (!quiet) process.stdout.write(header);
    for await (const row of bench.compare()) {
      take(row);
      const { gatewayUs, servicesUs, bareUs } = row.cpu;
      const times = `gateway ${gatewayUs} µs, services ${servicesUs} µs, bare express ${bareUs} µs`;
      if (!quiet) process.stdout.write(`processor time for a request: ${times}\n`);
    }
    if (profile) return memory;
    for await (const row of bench.memory()) {
      memory.push(row);
      if (!quiet)
        process.stdout.write(`after ${row.requests} requests: ${row.heapMb} MB heap, ${row.rssMb} MB resident\n`);
    }
  } finally {
    await bench.stop();
  }
  return memory;
}

await main(process.argv.slice(2));
