import type { Handler } from '../../routes/route.ts';
import type { Confirmation } from '../../schemas/common.ts';
import { KeyPath } from '../../schemas/identity.ts';
import { forgetting } from '../forgetting.ts';

export const deleteKeyShapes = { params: KeyPath };

/** Revokes an API key. */
export const deleteKey: Handler<typeof deleteKeyShapes, typeof Confirmation> = async ({ params }, context) => {
  const { identity } = context.services.clients;
  await forgetting(context, params.id, () => identity.deleteKey({ id: params.id }, context.caller, context.changing()));
  return { body: { success: true, message: 'The key is revoked.' } };
};
