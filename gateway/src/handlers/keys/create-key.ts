import type { Handler } from '../../routes/route.ts';
import { type CreatedKey, CreateKeyRequest } from '../../schemas/identity.ts';
import { present } from '../render.ts';
import { renderKey } from './key-view.ts';

export const createKeyShapes = { body: CreateKeyRequest };

/** Makes an API key; its secret is shown this once. */
export const createKey: Handler<typeof createKeyShapes, typeof CreatedKey> = async ({ body }, context) => {
  const key = await context.services.clients.identity.createKey(
    { ...body, scopes: [...new Set(body.scopes)], expiresAt: body.expiresAt },
    context.caller,
    context.changing(),
  );
  return { body: { ...renderKey(key), key: present(key.secret, 'secret') } };
};
