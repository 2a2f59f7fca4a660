import { randomBytes, randomUUID } from 'node:crypto';
import mongoose, { type mongo } from 'mongoose';
import { until } from '../support/api.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { type Fixture, pickTwo } from './fixture.ts';
import { connectionsTo, cpuUs, ioBytes, residentMb } from './process-stats.ts';
import { measureStorage, type StorageCost } from './storage-cost.ts';

const processes = ['gateway', 'identity', 'loyalty', 'templates', 'giftcards', 'webhooks'] as const;
const components = ['mongodb', 'redis', 'kafka'] as const;
const clientCounts = [1, 16, 64];
const idleMs = 5_000;
const loadMs = 4_000;
const settleMsMax = 60_000;

/** What one transfer costs: on a busy machine processor time and bytes hold, where throughput does not. */
export interface TransferCost {
  readonly name: string;
  readonly clients: number;
  readonly transfers: number;
  /** Commands that committed together, on average. */
  readonly groupSize: number;
  /** Processor time for each transfer, by process, what it takes when idle taken off. */
  readonly cpuUs: Readonly<Record<string, number>>;
  /** Bytes read and written for each transfer, sockets and logs together, of the processes that are Node's. */
  readonly movedBytes: Readonly<Record<string, number>>;
  /** Bytes for each transfer that went to disk. */
  readonly diskBytes: Readonly<Record<string, number>>;
}

/** What a process takes at rest or at the end of a load. */
export interface Footprint {
  readonly name: string;
  /** Processor time in a second, in ms. */
  readonly cpuMs?: Readonly<Record<string, number>>;
  readonly residentMb: Readonly<Record<string, number>>;
  /** By process and component. */
  readonly connections: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

interface Reading {
  readonly at: number;
  readonly cpu: Record<string, number>;
  readonly moved: Record<string, number>;
  readonly disk: Record<string, number>;
}

/** Measures transfers with no webhook endpoint, with one, and the processes at rest before and loaded after. */
export class TransferCosts {
  readonly #fixture: Fixture;
  readonly #pids: ReadonlyMap<string, number>;
  readonly #identity: mongo.Db;
  readonly #idleUsPerMs = new Map<string, number>();

  constructor(fixture: Fixture, client: mongo.MongoClient) {
    this.#fixture = fixture;
    const { stack } = fixture;
    this.#pids = new Map([...processes, ...components].map((name) => [name, stack.process(name).pid ?? 0]));
    this.#identity = client.db(stack.serviceEnv('identity').MONGODB_DATABASE);
  }

  async *measure(): AsyncGenerator<TransferCost | Footprint> {
    await this.#settled(await this.#load(64));
    yield await this.#idle();
    for (const clients of clientCounts) yield await this.#cost('transfers', clients, () => undefined);
    yield this.#footprint('after load');
    const receiver = await this.#endpoint();
    try {
      yield await this.#cost('transfers, one webhook endpoint', 64, (sent) =>
        until('every event is delivered', () => receiver.events.length >= sent, settleMsMax),
      );
    } finally {
      await receiver.stop();
    }
  }

  /** What each process does on its own account. */
  async #idle(): Promise<Footprint> {
    const before = this.#read();
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const after = this.#read();
    const cpuMs: Record<string, number> = {};
    for (const name of this.#pids.keys()) {
      const usPerMs = ((after.cpu[name] ?? 0) - (before.cpu[name] ?? 0)) / (after.at - before.at);
      this.#idleUsPerMs.set(name, usPerMs);
      cpuMs[name] = Math.round(usPerMs * 10) / 10;
    }
    return { ...this.#footprint('idle'), cpuMs };
  }

  #footprint(name: string): Footprint {
    const { ports } = this.#fixture.stack;
    const targets = Object.fromEntries(components.map((component) => [component, ports[component] ?? 0]));
    const own = processes.map((process) => [process, connectionsTo(this.#pids.get(process) ?? 0, targets)]);
    const memory = [...this.#pids].map(([process, pid]) => [process, residentMb(pid)]);
    return { name, residentMb: Object.fromEntries(memory), connections: Object.fromEntries(own) };
  }

  async #cost(name: string, clients: number, finished: (sent: number) => unknown): Promise<TransferCost> {
    const audited = await this.#audited();
    const [groups, before] = [await this.#groups(), this.#read()];
    const transfers = await this.#load(clients);
    await this.#settled(audited + transfers);
    await finished(transfers);
    const [groupsAfter, after] = [await this.#groups(), this.#read()];
    const each = (kind: 'cpu' | 'moved' | 'disk', names: Iterable<string>) => {
      const rows = [...names].map((process) => {
        const used = (after[kind][process] ?? 0) - (before[kind][process] ?? 0);
        const idle = kind === 'cpu' ? (this.#idleUsPerMs.get(process) ?? 0) * (after.at - before.at) : 0;
        return [process, Math.max(0, Math.round((used - idle) / transfers))];
      });
      return Object.fromEntries(rows);
    };
    const commits = groupsAfter.count - groups.count;
    return {
      ...{ name, clients, transfers },
      groupSize: Math.round(((groupsAfter.sum - groups.sum) / commits) * 10) / 10,
      cpuUs: each('cpu', this.#pids.keys()),
      movedBytes: each('moved', processes),
      diskBytes: each('disk', components),
    };
  }

  async #load(clients: number): Promise<number> {
    const { cards, programId, call } = this.#fixture;
    const endsAt = performance.now() + loadMs;
    let transfers = 0;
    const loop = async (client: number) => {
      while (performance.now() < endsAt) {
        const [source, destination] = pickTwo(cards);
        const path = `/v2/giftcards/programs/${programId}/cards/${source.id}/transfer`;
        const body = { securityCode: source.code, destinationCardNumber: destination.number, amount: '0.01' };
        await call(client, 'POST', path, body, { 'idempotency-key': randomUUID() });
        transfers += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => loop(client)));
    return transfers;
  }

  /** The audit log is what comes last: once a transfer is in it, its event has gone through Kafka. */
  #settled(audited: number): Promise<void> {
    return until('the audit log has caught up', async () => (await this.#audited()) >= audited, settleMsMax);
  }

  #audited(): Promise<number> {
    return this.#identity.collection('audit_logs').countDocuments({ action: 'gift_card_transferred' });
  }

  async #groups(): Promise<{ sum: number; count: number }> {
    const answer = await fetch(`http://127.0.0.1:${this.#fixture.stack.ports.giftcardsHealth}/metrics`);
    const text = await answer.text();
    const of = (name: string) =>
      Number(new RegExp(`^tallycard_ledger_group_commands_${name}\\S* (\\S+)`, 'm').exec(text)?.[1]);
    return { sum: of('sum'), count: of('count') };
  }

  #read(): Reading {
    const reading: Reading = { at: performance.now(), cpu: {}, moved: {}, disk: {} };
    for (const [name, pid] of this.#pids) {
      const { moved, disk } = ioBytes(pid);
      reading.cpu[name] = cpuUs(pid);
      reading.moved[name] = moved;
      reading.disk[name] = disk;
    }
    return reading;
  }

  async #endpoint(): Promise<WebhookReceiver> {
    const sharedSecret = randomBytes(24).toString('hex');
    const receiver = await WebhookReceiver.start(sharedSecret);
    const made = await this.#fixture.call(0, 'POST', '/v2/webhooks', { url: receiver.url, sharedSecret });
    await this.#fixture.call(0, 'POST', `/v2/webhooks/${(made as { id: string }).id}/enable`, {});
    return receiver;
  }
}

/** What transfers cost, in processors and on disks. */
export async function* measureTransferCosts(fixture: Fixture): AsyncGenerator<TransferCost | Footprint | StorageCost> {
  const client = await new mongoose.mongo.MongoClient(fixture.stack.uris.mongodbUri).connect();
  try {
    yield* new TransferCosts(fixture, client).measure();
    yield* measureStorage(fixture.stack, client);
  } finally {
    await client.close();
  }
}
