import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { GetTemplateRequest, Template } from '#proto/templates/v1/templates.ts';
import { getTemplate } from '../../domain/get-template.ts';
import type { TemplatesContext } from '../../domain/ports.ts';

export function getTemplateRpc(context: TemplatesContext): UnaryHandler<GetTemplateRequest, Template> {
  return ({ id }, { caller }) => getTemplate(context, caller, id);
}
