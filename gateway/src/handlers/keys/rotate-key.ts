import type { Handler } from '../../routes/route.ts';
import { type CreatedKey, KeyPath, RotateKeyRequest } from '../../schemas/identity.ts';
import { forgetting } from '../forgetting.ts';
import { present } from '../render.ts';
import { renderKey } from './key-view.ts';

export const rotateKeyShapes = { params: KeyPath, body: RotateKeyRequest };

/** Gives an API key a new secret; it is shown this once. */
export const rotateKey: Handler<typeof rotateKeyShapes, typeof CreatedKey> = async ({ params, body }, context) => {
  const { graceHours } = body;
  const { identity } = context.services.clients;
  const key = await forgetting(context, params.id, () =>
    identity.rotateKey({ id: params.id, graceHours }, context.caller, context.changing()),
  );
  return { body: { ...renderKey(key), key: present(key.secret, 'secret') } };
};
