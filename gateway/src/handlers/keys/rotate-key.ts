import type { Handler } from '../../routes/route.ts';
import { type CreatedKey, KeyPath, RotateKeyRequest } from '../../schemas/identity.ts';
import { present } from '../render.ts';
import { renderKey } from './key-view.ts';

export const rotateKeyShapes = { params: KeyPath, body: RotateKeyRequest };

/** Gives an API key a new secret; it is shown this once. */
export const rotateKey: Handler<typeof rotateKeyShapes, typeof CreatedKey> = async ({ params, body }, context) => {
  const { graceHours } = body;
  const key = await context.services.clients.identity.rotateKey(
    { id: params.id, graceHours },
    context.caller,
    context.changing(),
  );
  context.services.forgetCredential(params.id);
  return { body: { ...renderKey(key), key: present(key.secret, 'secret') } };
};
