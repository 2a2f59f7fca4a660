import { connectMongo } from '#platform/mongo/mongo.ts';
import { createQuotas } from '#platform/mongo/quota.ts';
import type { App } from '#platform/process/run.ts';
import { startServers } from '#platform/process/service.ts';
import { createLogger, type Logger } from '#platform/telemetry/logging.ts';
import { createRegistry } from '#platform/telemetry/metrics.ts';
import { type LoyaltyServiceServer, LoyaltyServiceService } from '#proto/loyalty/v1/loyalty.ts';
import type { LoyaltyConfig } from './config.ts';
import type { LoyaltyContext } from './domain/ports.ts';
import { programsMax } from './domain/program.ts';
import { rulesMax } from './domain/rule.ts';
import { prepareDatabase } from './store/prepare-database.ts';
import { createProgramStore } from './store/program-store.ts';
import { createRuleStore } from './store/rule-store.ts';
import { createProgramRpc } from './transport/grpc/create-program.ts';
import { createRuleRpc } from './transport/grpc/create-rule.ts';
import { deleteRuleRpc } from './transport/grpc/delete-rule.ts';
import { getProgramRpc } from './transport/grpc/get-program.ts';
import { listProgramsRpc } from './transport/grpc/list-programs.ts';
import { listRulesRpc } from './transport/grpc/list-rules.ts';
import { resolveProgramRpc } from './transport/grpc/resolve-program.ts';
import { updateRuleRpc } from './transport/grpc/update-rule.ts';

/** What a test puts in the place of the real thing. */
export interface Overrides {
  readonly logger?: Logger;
  readonly programsMax?: number;
  readonly rulesMax?: number;
}

export interface LoyaltyApp extends App {
  /** Where gRPC listens; known after start. */
  readonly grpcPort: number;
}

export function createApp(config: LoyaltyConfig, overrides: Overrides = {}): LoyaltyApp {
  const logger = overrides.logger ?? createLogger('loyalty', config.logLevel);
  const resources = new AsyncDisposableStack();
  let grpcPort = 0;
  return {
    async start() {
      const connection = await connectMongo(config.mongo, logger);
      resources.defer(() => connection.close());
      const quotas = createQuotas(connection);
      const context: LoyaltyContext = {
        programs: createProgramStore(connection, quotas),
        rules: createRuleStore(connection, quotas),
        rulesMax: overrides.rulesMax ?? rulesMax,
        programsMax: overrides.programsMax ?? programsMax,
        now: () => new Date(),
      };
      await prepareDatabase(connection);
      const servers = await startServers<LoyaltyServiceServer>(config, {
        definition: LoyaltyServiceService,
        handlers: {
          createProgram: createProgramRpc(context),
          listPrograms: listProgramsRpc(context),
          getProgram: getProgramRpc(context),
          resolveProgram: resolveProgramRpc(context),
          createRule: createRuleRpc(context),
          listRules: listRulesRpc(context),
          updateRule: updateRuleRpc(context),
          deleteRule: deleteRuleRpc(context),
        },
        connection,
        logger,
        registry: createRegistry('loyalty'),
      });
      resources.defer(() => servers.stop());
      grpcPort = servers.grpcPort;
      servers.setReady();
    },
    stop: () => resources.disposeAsync(),
    get grpcPort() {
      return grpcPort;
    },
  };
}
