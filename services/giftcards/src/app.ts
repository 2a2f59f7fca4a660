import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { Handlers } from '#platform/grpc/server.ts';
import { createEventPublisher, createKafka } from '#platform/kafka/kafka.ts';
import { connectMongo } from '#platform/mongo/mongo.ts';
import { createOutbox, type Outbox } from '#platform/mongo/outbox.ts';
import { watchOutbox } from '#platform/mongo/outbox-metrics.ts';
import type { App } from '#platform/process/run.ts';
import { type ServiceServers, startServers } from '#platform/process/service.ts';
import { stopWithin } from '#platform/process/stop-group.ts';
import { createLockManager, type LockManager } from '#platform/redis/lock.ts';
import { connectRedis } from '#platform/redis/redis.ts';
import { createLogger, type Logger } from '#platform/telemetry/logging.ts';
import { createRegistry } from '#platform/telemetry/metrics.ts';
import { type GiftCardsServiceServer, GiftCardsServiceService } from '#proto/giftcards/v1/giftcards.ts';
import type { GiftCardsConfig } from './config.ts';
import { createActivateCard } from './domain/activate-card.ts';
import { createCheckBalance } from './domain/check-balance.ts';
import { createIssueCard } from './domain/issue-card.ts';
import { Ledger } from './domain/ledger.ts';
import { createLookUpCard } from './domain/look-up-card.ts';
import type { Clock } from './domain/ports.ts';
import { createGetCard, createGetCards, createListCards, createListTransactions } from './domain/read-cards.ts';
import { createRedeemCard } from './domain/redeem-card.ts';
import { createRefundTransaction } from './domain/refund-transaction.ts';
import { createReloadCard } from './domain/reload-card.ts';
import { createSuspendCard } from './domain/suspend-card.ts';
import { createTransferBalance } from './domain/transfer-balance.ts';
import { createUnsuspendCard } from './domain/unsuspend-card.ts';
import { createVoidCard } from './domain/void-card.ts';
import { createLedgerMetrics } from './metrics.ts';
import { cardCollection } from './store/card-schema.ts';
import { createCardSecrets } from './store/card-secrets.ts';
import { CardStore } from './store/card-store.ts';
import { CodeAttemptStore } from './store/code-attempt-store.ts';
import { entryCollection } from './store/entry-schema.ts';
import { EntryStore } from './store/entry-store.ts';
import { idempotencyCollection } from './store/idempotency-schema.ts';
import { MongoLedgerStore } from './store/ledger-store.ts';
import { prepareDatabase } from './store/prepare-database.ts';
import { WriterSessions } from './store/writer-sessions.ts';
import { activateCardRpc } from './transport/grpc/activate-card.ts';
import { checkBalanceRpc } from './transport/grpc/check-balance.ts';
import { getCardRpc } from './transport/grpc/get-card.ts';
import { getCardsRpc } from './transport/grpc/get-cards.ts';
import { issueCardRpc } from './transport/grpc/issue-card.ts';
import { listCardsRpc } from './transport/grpc/list-cards.ts';
import { listTransactionsRpc } from './transport/grpc/list-transactions.ts';
import { lookUpCardRpc } from './transport/grpc/look-up-card.ts';
import { redeemCardRpc } from './transport/grpc/redeem-card.ts';
import { refundTransactionRpc } from './transport/grpc/refund-transaction.ts';
import { reloadCardRpc } from './transport/grpc/reload-card.ts';
import { suspendCardRpc } from './transport/grpc/suspend-card.ts';
import { transferBalanceRpc } from './transport/grpc/transfer-balance.ts';
import { unsuspendCardRpc } from './transport/grpc/unsuspend-card.ts';
import { voidCardRpc } from './transport/grpc/void-card.ts';

/** What a test may put in place of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly locks?: LockManager;
}

const outboxStopMsMax = 5_000;

export interface GiftCardsApp extends App {
  /** Where gRPC listens; known after start. */
  readonly grpcPort: number;
}

/** Builds the service; `start` connects and serves, `stop` lets what is under way finish. */
export function createApp(config: GiftCardsConfig, overrides: Overrides = {}): GiftCardsApp {
  const logger = overrides.logger ?? createLogger('giftcards', config.service.logLevel);
  const clock = overrides.clock ?? (() => new Date());
  const registry = createRegistry('giftcards');
  let servers: ServiceServers | undefined;
  let stopParts: (() => Promise<void>) | undefined;
  return {
    get grpcPort() {
      return servers?.grpcPort ?? 0;
    },
    async start() {
      const [mongo, ...redis] = await Promise.all([
        connectMongo(config.service.mongo, logger),
        ...config.redisUrls.map((url) => connectRedis(url, logger)),
      ]);
      const outbox = createOutbox(mongo);
      const publisher = createEventPublisher(createKafka(config.kafka, 'giftcards', logger), config.kafka.prefix);
      const sessions = new WriterSessions(mongo, logger);
      const locks = overrides.locks ?? createLockManager(redis, config.lockPrefix);
      const { handlers, ledger } = wire(config, { mongo, locks, outbox, sessions, clock, registry });
      await prepareDatabase(mongo);
      watchOutbox(outbox, registry);
      servers = await startServers<GiftCardsServiceServer>(config.service, {
        definition: GiftCardsServiceService,
        handlers,
        connection: mongo,
        logger,
        registry,
      });
      sessions.start();
      outbox.startRelay(publisher, logger);
      servers.setReady();
      stopParts = async () => {
        await servers?.stop();
        await ledger.drain();
        await sessions.stop();
        // Events that Kafka does not take now lie in the outbox: another replica, or the next start, publishes them.
        await stopWithin('outbox', () => outbox.stop().then(() => publisher.stop()), outboxStopMsMax, logger);
        for (const client of redis) client.destroy();
        await mongo.close();
      };
    },
    stop: async () => stopParts?.(),
  };
}

interface Parts {
  readonly mongo: Connection;
  readonly locks: LockManager;
  readonly outbox: Outbox;
  readonly sessions: WriterSessions;
  readonly clock: Clock;
  readonly registry: Registry;
}

function wire(config: GiftCardsConfig, parts: Parts): { handlers: Handlers<GiftCardsServiceServer>; ledger: Ledger } {
  const { mongo, clock } = parts;
  const secrets = createCardSecrets(config.cardKeys, config.hashKey);
  const cards = cardCollection(mongo);
  const entryDocuments = entryCollection(mongo);
  const codeAttempts = new CodeAttemptStore(mongo);
  const reader = new CardStore(cards, secrets, clock);
  const entries = new EntryStore(entryDocuments);
  const ledger = new Ledger({
    store: new MongoLedgerStore(parts.sessions, {
      cards,
      entries: entryDocuments,
      idempotency: idempotencyCollection(mongo),
      outbox: parts.outbox,
    }),
    locks: parts.locks,
    codeAttempts,
    clock,
    metrics: createLedgerMetrics(parts.registry),
  });
  const deps = { ledger, secrets, reader, entries, codeAttempts, clock };
  return {
    ledger,
    handlers: {
      issueCard: issueCardRpc(createIssueCard(deps), secrets),
      listCards: listCardsRpc(createListCards(deps), secrets),
      getCard: getCardRpc(createGetCard(deps), secrets),
      getCards: getCardsRpc(createGetCards(deps), secrets),
      lookUpCard: lookUpCardRpc(createLookUpCard(deps), secrets),
      listTransactions: listTransactionsRpc(createListTransactions(deps)),
      activateCard: activateCardRpc(createActivateCard(deps), secrets),
      reloadCard: reloadCardRpc(createReloadCard(deps), secrets),
      redeemCard: redeemCardRpc(createRedeemCard(deps)),
      refundTransaction: refundTransactionRpc(createRefundTransaction(deps)),
      suspendCard: suspendCardRpc(createSuspendCard(deps), secrets),
      unsuspendCard: unsuspendCardRpc(createUnsuspendCard(deps), secrets),
      voidCard: voidCardRpc(createVoidCard(deps)),
      transferBalance: transferBalanceRpc(createTransferBalance(deps), secrets),
      checkBalance: checkBalanceRpc(createCheckBalance(deps)),
    },
  };
}
