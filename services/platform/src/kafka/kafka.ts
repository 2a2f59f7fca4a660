import { type Consumer, Kafka, type KafkaMessage, logLevel, type Producer, type SASLOptions } from 'kafkajs';
import type { Registry } from 'prom-client';
import { delay } from '../retry.ts';
import type { Logger } from '../telemetry/logging.ts';
import { createLagReader } from './consumer-lag.ts';
import { watchConsumer } from './consumer-metrics.ts';
import type { EventActor, SystemActor } from './event-origin.ts';
import { inProcessSpans, SendSpans } from './spans.ts';

export interface KafkaConfig {
  readonly brokers: readonly string[];
  /** Put before every topic and group name, so that two installations can share a broker. */
  readonly prefix: string;
  /** TLS, with the certificate authorities of Node.js (and of `NODE_EXTRA_CA_CERTS`). */
  readonly tls?: boolean;
  readonly sasl?: KafkaSasl | undefined;
}

/** How we tell brokers who we are. */
export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/** The topic of everything that happened, keyed by merchant. */
export const eventsTopic = 'events.v1';
const partitions = 6;

/** What happened, as services publish it and webhooks receive it. Money is a decimal string in `data`. */
export interface DomainEvent {
  /** 24-hex id; consumers drop a second one. */
  readonly id: string;
  /** Such as `giftcard.transferred`. */
  readonly type: string;
  readonly merchantId: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Absent in events of before it was told. Not for merchants' endpoints. */
  readonly actor?: EventActor | SystemActor;
  /** W3C traceparent of the call that it comes from, when that was traced; it travels as a header. */
  readonly traceparent?: string;
}

/** An event as it lies in the outbox and travels: rendered once, when it happens. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly merchantId: string;
  /** The whole {@link DomainEvent} as JSON, without its traceparent. */
  readonly json: string;
  readonly traceparent?: string | undefined;
}

export function encodeEvent({ traceparent, ...event }: DomainEvent): EncodedEvent {
  const { id, type, merchantId } = event;
  const encoded = { id, type, merchantId, json: JSON.stringify(event) };
  return traceparent === undefined ? encoded : { ...encoded, traceparent };
}

export function createKafka(config: KafkaConfig, clientId: string, logger: Logger): Kafka {
  return new Kafka({
    clientId,
    brokers: [...config.brokers],
    ssl: config.tls ?? false,
    ...(config.sasl && { sasl: config.sasl as SASLOptions }),
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 8 },
    logLevel: logLevel.ERROR,
    logCreator: () => (entry) => logger.warn({ broker: entry.log.message, error: entry.log.error }, 'kafka'),
  });
}

/** Creates the events topic when it is missing. */
export async function ensureEventsTopic(kafka: Kafka, prefix: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    await admin.createTopics({ topics: [{ topic: prefix + eventsTopic, numPartitions: partitions }] });
  } finally {
    await admin.disconnect();
  }
}

export interface EventPublisher {
  /** Resolves when every replica in sync has the events; order is kept for each merchant. */
  publish(events: readonly EncodedEvent[]): Promise<void>;
  stop(): Promise<void>;
}

/** Publishes to {@link eventsTopic}; connects at the first use and again after a failure. */
export function createEventPublisher(kafka: Kafka, prefix: string): EventPublisher {
  let producer: Producer | undefined;
  const connect = async () => {
    await ensureEventsTopic(kafka, prefix);
    const fresh = kafka.producer({ allowAutoTopicCreation: false, idempotent: false });
    await fresh.connect();
    return fresh;
  };
  return {
    async publish(events) {
      producer ??= await connect();
      const spans = new SendSpans(eventsTopic);
      const messages = events.map((event) => ({
        key: event.merchantId,
        value: event.json,
        headers: { id: event.id, type: event.type, ...spans.begin(event.traceparent) },
      }));
      try {
        for (const part of inParts(messages)) {
          await producer.send({ topic: prefix + eventsTopic, messages: part, acks: -1 });
        }
        spans.end();
      } catch (error) {
        spans.end('send_failed');
        const failed = producer;
        producer = undefined;
        await failed.disconnect().catch(() => undefined);
        throw error;
      }
    },
    stop: async () => producer?.disconnect().catch(() => undefined),
  };
}

/** Brokers refuse a record batch over 1 MiB by default; all messages of one send may go to one partition. */
const sendBytesMax = 512 * 1024;

/** The messages in order, in parts of at most {@link sendBytesMax}. */
function inParts<M extends { readonly value: string }>(messages: readonly M[]): M[][] {
  const parts: M[][] = [];
  let bytes = sendBytesMax;
  for (const message of messages) {
    bytes += Buffer.byteLength(message.value);
    if (bytes > sendBytesMax) {
      parts.push([]);
      bytes = Buffer.byteLength(message.value);
    }
    parts.at(-1)?.push(message);
  }
  return parts;
}

export interface EventSubscription {
  /** Whether it has joined its group and receives. */
  isRunning(): boolean;
  stop(): Promise<void>;
}

const sliceMax = 200;

/**
 * Hands every event to `onEvents` in order for each partition, at least once: offsets move only after it resolved.
 * A failure is retried by reading on from the last slice that succeeded; while Kafka is down it keeps reconnecting.
 */
export function subscribeToEvents(
  kafka: Kafka,
  options: {
    readonly prefix: string;
    readonly group: string;
    readonly logger: Logger;
    /** Where the group's lag is shown. */
    readonly registry?: Registry;
  },
  onEvents: (events: readonly DomainEvent[]) => Promise<void>,
): EventSubscription {
  const stopping = new AbortController();
  let consumer: Consumer | undefined;
  let running = false;
  let memberId: string | undefined;
  const groupId = options.prefix + options.group;
  const topic = options.prefix + eventsTopic;
  const lag = createLagReader(kafka, { groupId, topic, memberId: () => memberId });
  if (options.registry) watchConsumer(options.registry, options.group, () => lag.read());
  const parse = (message: KafkaMessage): DomainEvent[] => {
    try {
      return [JSON.parse(String(message.value)) as DomainEvent];
    } catch {
      options.logger.error({ offset: message.offset }, 'an event that is no JSON was passed over');
      return [];
    }
  };
  const begin = async () => {
    await ensureEventsTopic(kafka, options.prefix);
    consumer = kafka.consumer({
      groupId,
      sessionTimeout: 10_000,
      heartbeatInterval: 2_000,
      // How long an empty fetch waits at the broker; events end the wait at once.
      maxWaitTimeInMs: 1_000,
      retry: { retries: Number.MAX_SAFE_INTEGER, initialRetryTime: 100, maxRetryTime: 2_000 },
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      running = true;
      memberId = payload.memberId;
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      running = false;
      if (!payload.restart && !stopping.signal.aborted) void loop();
    });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      partitionsConsumedConcurrently: 3,
      eachBatchAutoResolve: false,
      eachBatch: async ({ batch, heartbeat, resolveOffset, isRunning, isStale }) => {
        // In slices, with a sign of life after each: a batch that took longer than the session would be handed to another.
        for (let start = 0; start < batch.messages.length; start += sliceMax) {
          if (!isRunning() || isStale()) return;
          const slice = batch.messages.slice(start, start + sliceMax);
          await inProcessSpans(eventsTopic, slice, () => onEvents(slice.flatMap(parse)));
          resolveOffset(slice.at(-1)!.offset);
          await heartbeat();
        }
      },
    });
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        return await begin();
      } catch (error) {
        options.logger.warn({ err: (error as Error).message }, 'cannot subscribe to events yet');
        await consumer?.disconnect().catch(() => undefined);
        await delay(1_000, stopping.signal);
      }
    }
  };
  void loop();
  return {
    isRunning: () => running,
    async stop() {
      stopping.abort();
      await Promise.all([consumer?.disconnect().catch(() => undefined), lag.stop()]);
    },
  };
}
