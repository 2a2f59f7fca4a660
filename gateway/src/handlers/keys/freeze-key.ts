import type { Handler } from '../../routes/route.ts';
import { KeyPath, type KeyRead } from '../../schemas/identity.ts';
import { forgetting } from '../forgetting.ts';
import { renderKey } from './key-view.ts';

export const freezeKeyShapes = { params: KeyPath };

/** Freezes an API key: its requests are refused until it is unfrozen. */
export const freezeKey: Handler<typeof freezeKeyShapes, typeof KeyRead> = async ({ params }, context) => {
  const { identity } = context.services.clients;
  const key = await forgetting(context, params.id, () =>
    identity.freezeKey({ id: params.id }, context.caller, context.changing()),
  );
  return { body: renderKey(key) };
};
