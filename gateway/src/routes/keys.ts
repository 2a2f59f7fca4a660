import { z } from 'zod';
import type { Context } from '../context.ts';
import { createAppKey, createAppKeyShapes } from '../handlers/keys/create-app-key.ts';
import { createKey, createKeyShapes } from '../handlers/keys/create-key.ts';
import { deleteAppKey, deleteAppKeyShapes } from '../handlers/keys/delete-app-key.ts';
import { deleteKey, deleteKeyShapes } from '../handlers/keys/delete-key.ts';
import { freezeKey, freezeKeyShapes } from '../handlers/keys/freeze-key.ts';
import { getKeyUsage, getKeyUsageShapes } from '../handlers/keys/get-key-usage.ts';
import { listAppKeys, listAppKeysShapes } from '../handlers/keys/list-app-keys.ts';
import { listKeys, listKeysShapes } from '../handlers/keys/list-keys.ts';
import { rotateKey, rotateKeyShapes } from '../handlers/keys/rotate-key.ts';
import { unfreezeKey, unfreezeKeyShapes } from '../handlers/keys/unfreeze-key.ts';
import { Confirmation } from '../schemas/common.ts';
import { AppKeyRead, CreatedAppKey, CreatedKey, KeyRead } from '../schemas/identity.ts';
import { KeyUsage } from '../schemas/plans.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Keys', auth: 'user', public: false } as const;
/** Each change is word to every gateway, and an entry in the audit log. */
const change = {
  limits: [{ limit: 'keyChangesPerUser', subject: (_input: unknown, { caller }: Context) => caller.userId }],
} as const;
/** A key that leaked can be stopped at all times. */
const urgentChange = { ...change, withoutRedis: 'count-locally' } as const;

export const keyRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'get',
    path: '/v2/appkeys',
    operationId: 'listAppKeys',
    summary: 'List app keys',
    request: listAppKeysShapes,
    storable: false,
    success: {
      status: 200,
      schema: z.array(AppKeyRead),
      description: 'The app keys, without their secrets, newest first.',
      headers: ['X-Total-Count', 'Link'],
    },
    errors: [],
    handler: listAppKeys,
  }),
  route({
    ...common,
    ...change,
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
    ...urgentChange,
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
    request: listKeysShapes,
    storable: false,
    success: {
      status: 200,
      schema: z.array(KeyRead),
      description: 'The keys, without their secrets, newest first.',
      headers: ['X-Total-Count', 'Link'],
    },
    errors: [],
    handler: listKeys,
  }),
  route({
    ...common,
    ...change,
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
    ...urgentChange,
    method: 'delete',
    path: '/v2/keys/:id',
    operationId: 'deleteKey',
    summary: 'Revoke an API key',
    request: deleteKeyShapes,
    success: { status: 200, schema: Confirmation, description: 'It is revoked.' },
    errors: ['not_found'],
    handler: deleteKey,
  }),
  route({
    ...common,
    ...urgentChange,
    method: 'post',
    path: '/v2/keys/:id/rotate',
    operationId: 'rotateKey',
    summary: 'Give an API key a new secret',
    description:
      'The secret in force until now goes on working for `graceHours`; one that an earlier rotation left working stops at once.',
    request: rotateKeyShapes,
    bodyOptional: true,
    success: { status: 200, schema: CreatedKey, description: 'The key; its new secret is shown this once.' },
    errors: ['not_found', 'key_not_active', 'conflict'],
    handler: rotateKey,
  }),
  route({
    ...common,
    ...urgentChange,
    method: 'post',
    path: '/v2/keys/:id/freeze',
    operationId: 'freezeKey',
    summary: 'Freeze an API key: its requests are refused with 402',
    request: freezeKeyShapes,
    success: { status: 200, schema: KeyRead, description: 'The key, now frozen.' },
    errors: ['not_found'],
    handler: freezeKey,
  }),
  route({
    ...common,
    ...urgentChange,
    method: 'post',
    path: '/v2/keys/:id/unfreeze',
    operationId: 'unfreezeKey',
    summary: 'Let a frozen API key work again',
    request: unfreezeKeyShapes,
    success: { status: 200, schema: KeyRead, description: 'The key, not frozen any more.' },
    errors: ['not_found'],
    handler: unfreezeKey,
  }),
  route({
    ...common,
    method: 'get',
    path: '/v2/keys/:id/usage',
    operationId: 'getKeyUsage',
    summary: "An API key's limits, and its calls by month",
    description: 'Answers for a revoked key too.',
    request: getKeyUsageShapes,
    success: { status: 200, schema: KeyUsage, description: 'Plan, limits and calls.' },
    errors: ['not_found'],
    handler: getKeyUsage,
  }),
];
