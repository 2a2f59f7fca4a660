import type { Handler } from '../../routes/route.ts';
import type { Confirmation } from '../../schemas/common.ts';
import { KeyPath } from '../../schemas/identity.ts';

export const deleteAppKeyShapes = { params: KeyPath };

/** Revokes an app key. */
export const deleteAppKey: Handler<typeof deleteAppKeyShapes, typeof Confirmation> = async ({ params }, context) => {
  await context.services.clients.identity.deleteAppKey({ id: params.id }, context.caller, context.changing());
  context.services.forgetCredential(params.id);
  return { body: { success: true, message: 'The app key is revoked.' } };
};
