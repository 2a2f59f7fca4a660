import type { Handler } from '../../routes/route.ts';
import { KeyPath, type KeyRead } from '../../schemas/identity.ts';
import { renderKey } from './key-view.ts';

export const unfreezeKeyShapes = { params: KeyPath };

/** Lets a frozen API key work again. */
export const unfreezeKey: Handler<typeof unfreezeKeyShapes, typeof KeyRead> = async ({ params }, context) => {
  const key = await context.services.clients.identity.unfreezeKey(
    { id: params.id },
    context.caller,
    context.changing(),
  );
  context.services.forgetCredential(params.id);
  return { body: renderKey(key) };
};
