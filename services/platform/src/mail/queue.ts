import { type ClientSession, type Connection, mongo, Schema } from 'mongoose';
import { type KeyRing, open, seal } from '../encryption.ts';
import { newId } from '../ids.ts';
import { delay } from '../retry.ts';
import type { Logger } from '../telemetry/logging.ts';
import { type Mail, MailRejected, type MailSender } from './mail.ts';

interface MailRow {
  _id: mongo.ObjectId;
  /** The whole mail, encrypted: it may hold a code. */
  sealed: string;
  attempts: number;
  /** When it is due; while somebody sends it, when that somebody is given up. */
  nextAt: Date;
  createdAt: Date;
}

/** Its collection, for who prepares the database. */
export const mailSchema = new Schema<MailRow>(
  {
    _id: Schema.Types.ObjectId,
    sealed: { type: String, required: true },
    attempts: { type: Number, required: true },
    nextAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'mails', versionKey: false },
).index({ nextAt: 1 });

export interface MailRelaySettings {
  readonly pollMs: number;
  /** Mails sent at once. */
  readonly batchMax: number;
  /** How long one sender has a mail to itself; longer than the sending can take. */
  readonly leaseMs: number;
  readonly attemptsMax: number;
  /** Before the second attempt; doubles up to `retryMsMax`. */
  readonly retryMs: number;
  readonly retryMsMax: number;
}

/** Thirty attempts in about 23 hours: a day's outage of the server loses nothing. */
const settingsDefault: MailRelaySettings = {
  ...{ pollMs: 500, batchMax: 4, leaseMs: 120_000 },
  ...{ attemptsMax: 30, retryMs: 5_000, retryMsMax: 3_600_000 },
};
const stopMsMax = 5_000;
/** How long a look at what waits may take the database. */
const lookMsMax = 1_000;

/** Counts tries: sent, to be tried again, or given up. */
export interface MailMetrics {
  tried(outcome: 'sent' | 'retry' | 'given_up'): void;
}

export interface MailQueue {
  /** Keeps a mail for sending, in the transaction under way: it goes out if, and only if, that commits. */
  add(mail: Mail, session?: ClientSession): Promise<void>;
  /** Starts sending, each mail at least once and from one replica at a time. */
  startRelay(sender: MailSender, logger: Logger, metrics?: MailMetrics): void;
  /** About how many mails wait, from the collection's metadata. */
  waiting(): Promise<number>;
  /** Since when the oldest of them has. */
  oldestAt(): Promise<Date | undefined>;
  stop(): Promise<void>;
}

interface Relay {
  readonly sender: MailSender;
  readonly logger: Logger;
  readonly metrics: MailMetrics | undefined;
}

/** The durable mail queue of one service's database. To be made before `createIndexes`. */
export function createMailQueue(
  connection: Connection,
  keys: KeyRing,
  settings: Partial<MailRelaySettings> = {},
): MailQueue {
  const model = connection.model<MailRow>('Mail', mailSchema);
  const bounds = { ...settingsDefault, ...settings };
  const stopping = new AbortController();
  let relay: Promise<void> = Promise.resolve();

  const claim = () => {
    const now = Date.now();
    return model
      .findOneAndUpdate(
        { nextAt: { $lte: new Date(now) } },
        { $set: { nextAt: new Date(now + bounds.leaseMs) }, $inc: { attempts: 1 } },
        { sort: { nextAt: 1 }, returnDocument: 'after' },
      )
      .lean();
  };

  const sendOne = async ({ _id, sealed, attempts }: MailRow, { sender, logger, metrics }: Relay) => {
    const mailId = _id.toHexString();
    try {
      await sender.send(mailId, JSON.parse(open(sealed, mailId, keys)) as Mail);
      metrics?.tried('sent');
      await model.deleteOne({ _id });
    } catch (error) {
      const told = { mailId, attempts, err: (error as Error).message };
      if (error instanceof MailRejected || attempts >= bounds.attemptsMax) {
        logger.error(told, 'a mail was given up');
        metrics?.tried('given_up');
        await model.deleteOne({ _id });
        return;
      }
      logger.warn(told, 'a mail will be tried again');
      metrics?.tried('retry');
      // Only the holder's own claim: whoever took it over since has set a time of its own.
      const nextAt = new Date(Date.now() + retryDelayMs(attempts, bounds));
      await model.updateOne({ _id, attempts }, { $set: { nextAt } });
    }
  };

  const pass = async (parts: Relay): Promise<number> => {
    const claimed: MailRow[] = [];
    while (claimed.length < bounds.batchMax && !stopping.signal.aborted) {
      const row = await claim();
      if (row === null) break;
      claimed.push(row);
    }
    await Promise.all(claimed.map((row) => sendOne(row, parts)));
    return claimed.length;
  };

  const run = async (parts: Relay): Promise<void> => {
    while (!stopping.signal.aborted) {
      const sent = await pass(parts).catch((error: Error) => {
        parts.logger.warn({ err: error.message }, 'the mail relay will try again');
        return 0;
      });
      if (sent === 0) await delay(bounds.pollMs, stopping.signal);
    }
  };

  return {
    async add(mail, session) {
      assertOneLine(mail.to, mail.subject);
      const id = newId();
      const now = new Date();
      const sealed = seal(JSON.stringify(mail), id, keys);
      const row = { _id: new mongo.ObjectId(id), sealed, attempts: 0, nextAt: now, createdAt: now };
      await model.create([row], session && { session });
    },
    startRelay(sender, logger, metrics) {
      relay = run({ sender, logger, metrics });
    },
    waiting: () => model.estimatedDocumentCount({ maxTimeMS: lookMsMax }),
    async oldestAt() {
      // Ids begin with the second that they were made in.
      const row = await model.findOne({}, { createdAt: 1 }, { maxTimeMS: lookMsMax }).sort({ _id: 1 }).lean();
      return row?.createdAt;
    },
    async stop() {
      stopping.abort();
      const waited = new AbortController();
      await Promise.race([relay, delay(stopMsMax, waited.signal)]);
      waited.abort();
    },
  };
}

/** With ±50 % jitter. */
function retryDelayMs(attempts: number, { retryMs, retryMsMax }: MailRelaySettings): number {
  return Math.min(retryMsMax, retryMs * 2 ** (attempts - 1)) * (0.5 + Math.random());
}

/** What goes into a header ends no header. */
function assertOneLine(...headers: string[]): void {
  if (headers.some((text) => /\p{Cc}/u.test(text))) throw new TypeError('A mail header has a control character');
}
