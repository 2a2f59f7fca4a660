import { z } from 'zod';
import { createAppKey, createAppKeyShapes } from '../handlers/keys/create-app-key.ts';
import { createKey, createKeyShapes } from '../handlers/keys/create-key.ts';
import { deleteAppKey, deleteAppKeyShapes } from '../handlers/keys/delete-app-key.ts';
import { deleteKey, deleteKeyShapes } from '../handlers/keys/delete-key.ts';
import { listAppKeys } from '../handlers/keys/list-app-keys.ts';
import { listKeys } from '../handlers/keys/list-keys.ts';
import { Confirmation } from '../schemas/common.ts';
import { AppKeyRead, CreatedAppKey, CreatedKey, KeyRead } from '../schemas/identity.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Keys', auth: 'user', public: false } as const;

export const keyRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'get',
    path: '/v2/appkeys',
    operationId: 'listAppKeys',
    summary: 'List app keys',
    request: {},
    success: { status: 200, schema: z.array(AppKeyRead), description: 'The app keys, without their secrets.' },
    errors: [],
    handler: listAppKeys,
  }),
  route({
    ...common,
    method: 'post',
    path: '/v2/appkeys',
    operationId: 'createAppKey',
    summary: "Make an app key: a JWT with the merchant's whole access",
    request: createAppKeyShapes,
    success: { status: 201, schema: CreatedAppKey, description: 'The app key; its secret is shown this once.' },
    errors: ['key_limit_reached'],
    handler: createAppKey,
  }),
  route({
    ...common,
    method: 'delete',
    path: '/v2/appkeys/:id',
    operationId: 'deleteAppKey',
    summary: 'Revoke an app key',
    request: deleteAppKeyShapes,
    success: { status: 200, schema: Confirmation, description: 'It is revoked.' },
    errors: ['not_found'],
    handler: deleteAppKey,
  }),
  route({
    ...common,
    method: 'get',
    path: '/v2/keys',
    operationId: 'listKeys',
    summary: 'List API keys',
    request: {},
    success: { status: 200, schema: z.array(KeyRead), description: 'The keys, without their secrets.' },
    errors: [],
    handler: listKeys,
  }),
  route({
    ...common,
    method: 'post',
    path: '/v2/keys',
    operationId: 'createKey',
    summary: 'Make an API key with chosen scopes',
    request: createKeyShapes,
    success: { status: 201, schema: CreatedKey, description: 'The key; its secret is shown this once.' },
    errors: ['key_limit_reached'],
    handler: createKey,
  }),
  route({
    ...common,
    method: 'delete',
    path: '/v2/keys/:id',
    operationId: 'deleteKey',
    summary: 'Revoke an API key',
    request: deleteKeyShapes,
    success: { status: 200, schema: Confirmation, description: 'It is revoked.' },
    errors: ['not_found'],
    handler: deleteKey,
  }),
];
