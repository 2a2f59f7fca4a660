import type { ClientSession, Connection, mongo } from 'mongoose';
import { newId } from '#platform/ids.ts';
import type { Logger } from '#platform/telemetry/logging.ts';

/** A process that writes to the ledger, and the sessions it writes with. */
interface WriterDocument {
  _id: string;
  /** Rises while the process lives. */
  beats: number;
  sessions: ClientSession['id'][];
}

const beatMs = 1_000;
/** A writer whose beats have stood still for this long, by our own clock, is dead. */
const silentMsMax = 5_000;

/**
 * The sessions of the ledger's transactions. A process that is killed leaves its transactions open, and MongoDB would
 * keep the cards in them from everybody for a minute; so each process makes its sessions known, and the others end those
 * of one that has fallen silent. Ending a living writer's session by mistake only makes it try again.
 */
export class WriterSessions {
  readonly #connection: Connection;
  readonly #writers: mongo.Collection<WriterDocument>;
  readonly #logger: Logger;
  readonly #id = newId();
  readonly #known = new Set<ClientSession>();
  #idle: ClientSession[] = [];
  readonly #seen = new Map<string, { beats: number; sinceMs: number }>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(connection: Connection, logger: Logger) {
    this.#connection = connection;
    this.#writers = connection.collection<WriterDocument>(
      'ledger_writers',
    ) as unknown as mongo.Collection<WriterDocument>;
    this.#logger = logger;
  }

  start(): void {
    let lastBeatMs = performance.now();
    const beat = async () => {
      try {
        // After a gap of our own we know nothing of the others: their beats may have stood still with the database.
        if (performance.now() - lastBeatMs > silentMsMax / 2) this.#seen.clear();
        await this.#beat();
        lastBeatMs = performance.now();
      } catch (error) {
        this.#logger.warn({ err: (error as Error).message }, 'writer beat failed');
      }
      if (!this.#stopped) this.#timer = setTimeout(beat, beatMs);
    };
    this.#timer = setTimeout(beat, beatMs);
  }

  /** Ends what is idle; call it when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.all([...this.#known].map((session) => session.endSession()));
    await this.#writers.deleteOne({ _id: this.#id }).catch(() => undefined);
  }

  /** Lends a session that the others know of. One that `work` failed on is not lent again. */
  async use<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const session = this.#idle.pop() ?? (await this.#create());
    try {
      const result = await work(session);
      this.#idle.push(session);
      return result;
    } catch (error) {
      this.#known.delete(session);
      await session.endSession();
      throw error;
    }
  }

  async #create(): Promise<ClientSession> {
    const session = await this.#connection.startSession();
    this.#known.add(session);
    try {
      await this.#register();
      return session;
    } catch (error) {
      this.#known.delete(session);
      await session.endSession();
      throw error;
    }
  }

  async #register(): Promise<void> {
    const sessions = [...this.#known].map((session) => session.id);
    await this.#writers.updateOne({ _id: this.#id }, { $inc: { beats: 1 }, $set: { sessions } }, { upsert: true });
  }

  async #beat(): Promise<void> {
    if (this.#known.size > 0) await this.#register();
    const nowMs = performance.now();
    for (const writer of await this.#writers.find({ _id: { $ne: this.#id } }).toArray()) {
      const seen = this.#seen.get(writer._id);
      if (seen === undefined || seen.beats !== writer.beats) {
        this.#seen.set(writer._id, { beats: writer.beats, sinceMs: nowMs });
      } else if (nowMs - seen.sinceMs > silentMsMax) {
        await this.#bury(writer);
      }
    }
  }

  async #bury(writer: WriterDocument): Promise<void> {
    this.#logger.warn({ writer: writer._id }, 'ending the sessions of a writer that fell silent');
    const client = this.#connection.getClient();
    await client.db('admin').command({ killSessions: writer.sessions.filter((session) => session !== undefined) });
    await this.#writers.deleteOne({ _id: writer._id, beats: writer.beats });
    this.#seen.delete(writer._id);
  }
}
