import { connectMongo } from '#platform/mongo/mongo.ts';
import { createQuotas } from '#platform/mongo/quota.ts';
import type { App } from '#platform/process/run.ts';
import { startServers } from '#platform/process/service.ts';
import { createLogger, type Logger } from '#platform/telemetry/logging.ts';
import { createRegistry } from '#platform/telemetry/metrics.ts';
import { type TemplatesServiceServer, TemplatesServiceService } from '#proto/templates/v1/templates.ts';
import type { TemplatesConfig } from './config.ts';
import type { TemplatesContext } from './domain/ports.ts';
import { templatesMax } from './domain/template.ts';
import { prepareDatabase } from './store/prepare-database.ts';
import { createTemplateStore } from './store/template-store.ts';
import { createTemplateRpc } from './transport/grpc/create-template.ts';
import { deleteTemplateRpc } from './transport/grpc/delete-template.ts';
import { getTemplateRpc } from './transport/grpc/get-template.ts';
import { listTemplatesRpc } from './transport/grpc/list-templates.ts';

/** What a test puts in the place of the real thing. */
export interface Overrides {
  readonly logger?: Logger;
  readonly templatesMax?: number;
}

export interface TemplatesApp extends App {
  /** Where gRPC listens; known after start. */
  readonly grpcPort: number;
}

export function createApp(config: TemplatesConfig, overrides: Overrides = {}): TemplatesApp {
  const logger = overrides.logger ?? createLogger('templates', config.logLevel);
  const resources = new AsyncDisposableStack();
  let grpcPort = 0;
  return {
    async start() {
      const connection = await connectMongo(config.mongo, logger);
      resources.defer(() => connection.close());
      const context: TemplatesContext = {
        templates: createTemplateStore(connection, createQuotas(connection)),
        templatesMax: overrides.templatesMax ?? templatesMax,
        now: () => new Date(),
      };
      await prepareDatabase(connection);
      const servers = await startServers<TemplatesServiceServer>(config, {
        definition: TemplatesServiceService,
        handlers: {
          createTemplate: createTemplateRpc(context),
          listTemplates: listTemplatesRpc(context),
          getTemplate: getTemplateRpc(context),
          deleteTemplate: deleteTemplateRpc(context),
        },
        connection,
        logger,
        registry: createRegistry('templates'),
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
