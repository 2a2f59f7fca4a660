import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { DeleteTemplateRequest, DeleteTemplateResponse } from '#proto/templates/v1/templates.ts';
import { deleteTemplate } from '../../domain/delete-template.ts';
import type { TemplatesContext } from '../../domain/ports.ts';

export function deleteTemplateRpc(
  context: TemplatesContext,
): UnaryHandler<DeleteTemplateRequest, DeleteTemplateResponse> {
  return async ({ id }, { caller }) => {
    await deleteTemplate(context, caller, id);
    return {};
  };
}
