import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ListTemplatesRequest, ListTemplatesResponse } from '#proto/templates/v1/templates.ts';
import { listTemplates } from '../../domain/list-templates.ts';
import type { TemplatesContext } from '../../domain/ports.ts';

export function listTemplatesRpc(context: TemplatesContext): UnaryHandler<ListTemplatesRequest, ListTemplatesResponse> {
  return ({ page }, { caller }) => listTemplates(context, caller, page ?? { offset: 0, limit: 0 });
}
