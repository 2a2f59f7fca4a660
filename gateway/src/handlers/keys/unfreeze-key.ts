import type { Handler } from '../../routes/route.ts';
import { KeyPath, type KeyRead } from '../../schemas/identity.ts';
import { forgetting } from '../forgetting.ts';
import { renderKey } from './key-view.ts';

export const unfreezeKeyShapes = { params: KeyPath };

/** Lets a frozen API key work again. */
export const unfreezeKey: Handler<typeof unfreezeKeyShapes, typeof KeyRead> = async ({ params }, context) => {
  const { identity } = context.services.clients;
  const key = await forgetting(context, params.id, () =>
    identity.unfreezeKey({ id: params.id }, context.caller, context.changing()),
  );
  return { body: renderKey(key) };
};
