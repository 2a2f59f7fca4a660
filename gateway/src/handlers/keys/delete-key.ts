import type { Handler } from '../../routes/route.ts';
import type { Confirmation } from '../../schemas/common.ts';
import { KeyPath } from '../../schemas/identity.ts';

export const deleteKeyShapes = { params: KeyPath };

/** Revokes an API key. */
export const deleteKey: Handler<typeof deleteKeyShapes, typeof Confirmation> = async ({ params }, context) => {
  await context.services.clients.identity.deleteKey({ id: params.id }, context.caller, context.changing());
  context.services.forgetCredential(params.id);
  return { body: { success: true, message: 'The key is revoked.' } };
};
