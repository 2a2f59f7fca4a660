import type { Handler } from '../../routes/route.ts';
import { CreateAppKeyRequest, type CreatedAppKey } from '../../schemas/identity.ts';
import { present } from '../render.ts';
import { renderAppKey } from './key-view.ts';

export const createAppKeyShapes = { body: CreateAppKeyRequest };

/** Makes a JWT with the merchant's whole access; it is shown this once. */
export const createAppKey: Handler<typeof createAppKeyShapes, typeof CreatedAppKey> = async ({ body }, context) => {
  const key = await context.services.clients.identity.createAppKey(
    { name: body.name },
    context.caller,
    context.changing(),
  );
  return { body: { ...renderAppKey(key), key: present(key.token, 'token') } };
};
