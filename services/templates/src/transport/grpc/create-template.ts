import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CreateTemplateRequest, Template } from '#proto/templates/v1/templates.ts';
import { createTemplate } from '../../domain/create-template.ts';
import type { TemplatesContext } from '../../domain/ports.ts';

export function createTemplateRpc(context: TemplatesContext): UnaryHandler<CreateTemplateRequest, Template> {
  return ({ name, passStyle }, { caller }) => createTemplate(context, caller, { name, passStyle });
}
