import type { ClientSession, Connection, mongo } from 'mongoose';
import { type DomainEvent, type EncodedEvent, type EventPublisher, encodeEvent } from '../kafka/kafka.ts';
import { delay } from '../retry.ts';
import type { Logger } from '../telemetry/logging.ts';
import { createLease } from './lease.ts';

/**
 * Events that one transaction made, waiting to be published. `at` rises with each change of a record (the writer takes care),
 * so reading by `at` keeps each record's order across replicas whose clocks differ.
 */
interface OutboxRow {
  _id: mongo.BSON.ObjectId;
  at: Date;
  events: EncodedEvent[];
}

const rowsMax = 100;
const leaseMs = 5_000;
const pollMs = 250;
/** How long a look at what waits may take the database. */
const lookMsMax = 1_000;
/** Rows that come in quick succession are published together. */
const lingerMs = 100;

export interface Outbox {
  /** Adds events in the transaction of the change that they tell of. */
  append(session: ClientSession, at: Date, events: readonly DomainEvent[]): Promise<void>;
  /** Says that a transaction with events has committed, so that the relay looks at once. */
  wake(): void;
  /** About how many rows wait to be published: from the collection's metadata, which costs nothing however many they are. */
  pending(): Promise<number>;
  /** Of the first row that waits; undefined when none does. */
  oldestAt(): Promise<Date | undefined>;
  createIndexes(): Promise<void>;
  /** Starts publishing, at least once; one replica does it at a time, the others stand by. */
  startRelay(publisher: EventPublisher, logger: Logger): void;
  stop(): Promise<void>;
}

/** The transactional outbox of one service's database. */
export function createOutbox(connection: Connection): Outbox {
  const rows = connection.collection<OutboxRow>('outbox');
  const lease = createLease(connection, 'outbox-relay');
  let stopping = false;
  /** Set by a commit, so that one that comes while the relay is busy is not slept over. */
  let hasNews = false;
  let wakeUp: () => void = () => undefined;
  let relay: Promise<void> = Promise.resolve();

  /** Resolves after `ms`, when there is something new, or when the relay is to stop. */
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, stopping ? 0 : ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const publishOnce = async (publisher: EventPublisher): Promise<number> => {
    const batch = await rows.find({}).sort({ at: 1 }).limit(rowsMax).toArray();
    if (batch.length === 0) return 0;
    await publisher.publish(batch.flatMap((row) => row.events));
    await rows.deleteMany({ _id: { $in: batch.map((row) => row._id) } });
    return batch.length;
  };

  const run = async (publisher: EventPublisher, logger: Logger): Promise<void> => {
    let renewAt = 0;
    while (!stopping) {
      let published = 0;
      hasNews = false;
      try {
        if (Date.now() >= renewAt) renewAt = (await lease.take(leaseMs)) ? Date.now() + leaseMs / 3 : 0;
        if (renewAt > 0) published = await publishOnce(publisher);
      } catch (error) {
        logger.warn({ err: (error as Error).message }, 'outbox relay will try again');
        renewAt = 0;
        await pause(pollMs);
      }
      if (published < rowsMax) {
        if (!hasNews) await pause(pollMs);
        await delay(lingerMs);
      }
    }
    await lease.release();
  };

  return {
    async append(session, at, events) {
      if (events.length === 0) return;
      await rows.insertOne(
        { _id: new connection.base.mongo.ObjectId(), at, events: events.map(encodeEvent) },
        { session },
      );
    },
    wake() {
      hasNews = true;
      wakeUp();
    },
    pending: () => rows.estimatedDocumentCount({ maxTimeMS: lookMsMax }),
    oldestAt: async () =>
      (
        await rows
          .find({}, { maxTimeMS: lookMsMax, projection: { at: 1 } })
          .sort({ at: 1 })
          .limit(1)
          .toArray()
      )[0]?.at,
    createIndexes: async () => void (await rows.createIndex({ at: 1 })),
    startRelay(publisher, logger) {
      relay = run(publisher, logger);
    },
    async stop() {
      stopping = true;
      wakeUp();
      await relay;
    },
  };
}
