import { randomBytes } from 'node:crypto';
import type { Caller } from '#platform/grpc/caller.ts';
import { createRpcClient, type RpcClient } from '#platform/grpc/client.ts';
import { newId } from '#platform/ids.ts';
import { connectMongo } from '#platform/mongo/mongo.ts';
import type { Logger } from '#platform/telemetry/logging.ts';
import type { ProgramReference } from '#proto/common/v1/common.ts';
import { type Card, GiftCardsServiceClient } from '#proto/giftcards/v1/giftcards.ts';
import { createApp, type GiftCardsApp, type Overrides } from './app.ts';
import { envToConfig, type GiftCardsConfig } from './config.ts';
import { cardCollection } from './store/card-schema.ts';
import { entryCollection } from './store/entry-schema.ts';
import { idempotencyCollection } from './store/idempotency-schema.ts';
import { type LedgerReport, verifyLedger } from './store/verify-ledger.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error: (fields, message) => console.error(message, fields) };

/** A card together with the code that was shown once. */
export interface IssuedCard {
  readonly card: Card;
  readonly code: string;
}

/** The service on the shared components, with a database of its own. */
export class GiftCardsBench {
  readonly config: GiftCardsConfig;
  readonly caller: Caller = callerOf(newId());
  readonly program: ProgramReference;
  readonly apps: GiftCardsApp[] = [];
  readonly clients: RpcClient<GiftCardsServiceClient>[] = [];

  constructor(name: string) {
    const unique = `${name}_${randomBytes(4).toString('hex')}`;
    this.config = envToConfig({
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: '0',
      HEALTH_HOST: '127.0.0.1',
      HEALTH_PORT: '0',
      STOP_DRAIN_MS: '0',
      MONGODB_URI: process.env.TEST_MONGODB_URI,
      MONGODB_DATABASE: `test_${unique}`,
      REDIS_URL: process.env.TEST_REDIS_URL,
      KAFKA_BROKERS: process.env.TEST_KAFKA_BROKERS,
      KAFKA_PREFIX: `test_${unique}.`,
      CALLER_SECRET: randomBytes(32).toString('base64'),
      CARD_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      CARD_HMAC_KEY: randomBytes(32).toString('base64'),
    });
    this.program = programOf(this.caller.merchantId);
  }

  get client(): RpcClient<GiftCardsServiceClient> {
    const first = this.clients[0];
    if (first === undefined) throw new Error('start a replica first');
    return first;
  }

  /** Starts one more replica on the same database. */
  async startReplica(overrides: Overrides = {}): Promise<RpcClient<GiftCardsServiceClient>> {
    const app = createApp(this.config, { logger: silent, ...overrides });
    await app.start();
    const secret = this.config.service.callerSecret;
    const client = createRpcClient(GiftCardsServiceClient, `127.0.0.1:${app.grpcPort}`, secret);
    this.apps.push(app);
    this.clients.push(client);
    return client;
  }

  /** Issues a card of this value and activates it. */
  async activeCard(valueMinor: number): Promise<IssuedCard> {
    const issued = await this.pendingCard(valueMinor);
    const { card } = await this.client.activateCard({ target: this.target(issued.card) }, this.caller);
    return { card: card as Card, code: issued.code };
  }

  async pendingCard(valueMinor: number, changes: object = {}): Promise<IssuedCard> {
    const { card, securityCode } = await this.client.issueCard(
      { program: this.program, initialValueMinor: BigInt(valueMinor), isPhysical: false, ...noDates, ...changes },
      this.caller,
    );
    return { card: card as Card, code: String(securityCode) };
  }

  target(card: { id: string }, idempotencyKey?: string) {
    return { programId: this.program.id, cardId: card.id, idempotencyKey };
  }

  async balanceOf(card: { id: string }): Promise<number> {
    const found = await this.client.getCard({ ...this.target(card), includeTransactions: false }, this.caller);
    return Number(found.card?.balanceMinor);
  }

  /** Checks the whole database as `npm run verify-ledger` does. */
  async verify(halvesMax?: number): Promise<LedgerReport> {
    return this.withDatabase((connection) =>
      verifyLedger(
        {
          cards: cardCollection(connection),
          entries: entryCollection(connection),
          idempotency: idempotencyCollection(connection),
        },
        halvesMax,
      ),
    );
  }

  async withDatabase<T>(work: (connection: Awaited<ReturnType<typeof connectMongo>>) => Promise<T>): Promise<T> {
    const connection = await connectMongo(this.config.service.mongo, silent);
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.close();
    await Promise.all(this.apps.map((app) => app.stop()));
    await this.withDatabase((connection) => connection.dropDatabase());
  }
}

const noDates = { expiresAt: undefined, deliverAt: undefined };

export function callerOf(merchantId: string): Caller {
  return { kind: 'app_key', merchantId, userId: merchantId, credentialId: newId(), requestId: 'test', ip: '127.0.0.1' };
}

export function programOf(merchantId: string): ProgramReference {
  return {
    id: newId(),
    merchantId,
    name: 'Test',
    currency: 'GBP',
    merchantName: 'Test Ltd',
    cardExpiryDays: 365,
    bulkThreshold: 50,
  };
}

/** The refusal's code, or `none` if the call was accepted. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'none',
    (error: { code?: string }) => String(error.code),
  );
}
