import type { Handler } from '../../routes/route.ts';
import { KeyPath, type KeyRead } from '../../schemas/identity.ts';
import { renderKey } from './key-view.ts';

export const freezeKeyShapes = { params: KeyPath };

/** Freezes an API key: its requests are refused until it is unfrozen. */
export const freezeKey: Handler<typeof freezeKeyShapes, typeof KeyRead> = async ({ params }, context) => {
  const key = await context.services.clients.identity.freezeKey({ id: params.id }, context.caller, context.changing());
  context.services.forgetCredential(params.id);
  return { body: renderKey(key) };
};
