import type { Handler } from '../../routes/route.ts';
import type { Confirmation } from '../../schemas/common.ts';
import { KeyPath } from '../../schemas/identity.ts';
import { forgetting } from '../forgetting.ts';

export const deleteAppKeyShapes = { params: KeyPath };

/** Revokes an app key. */
export const deleteAppKey: Handler<typeof deleteAppKeyShapes, typeof Confirmation> = async ({ params }, context) => {
  const { identity } = context.services.clients;
  await forgetting(context, params.id, () =>
    identity.deleteAppKey({ id: params.id }, context.caller, context.changing()),
  );
  return { body: { success: true, message: 'The app key is revoked.' } };
};
