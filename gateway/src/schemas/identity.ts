import { z } from 'zod';
import { scopes } from '#platform/scopes.ts';
import { Fault, faults } from '../validation/fault.ts';
import { instant, nullableText, recordId } from './common.ts';
import { body, boolean, dateTime, email, id, integer, list, oneOf, optional, text } from './primitives.ts';

const tokenFields = {
  grant_type: oneOf('password', 'refresh_token').default('password'),
  username: optional(text({ min: 1, max: 320 })),
  email: optional(email()),
  password: optional(text({ min: 1, max: 1024 })),
  passwordHash: optional(text({ min: 10, max: 200 })),
  code: optional(text({ min: 1, max: 64 })),
  refresh_token: optional(text({ min: 1, max: 4096 })),
  // What OAuth 2.0 client libraries send along; not used.
  scope: optional(text({ max: 1000 })),
  client_id: optional(text({ max: 255 })),
  client_secret: optional(text({ max: 255 })),
};

type TokenFields = { readonly [Name in keyof typeof tokenFields]?: unknown };

/** Refuses what lacks one of `names` under a grant; also when other fields are at fault, so that one answer tells all. */
const needs = (grant: 'password' | 'refresh_token', ...names: (keyof TokenFields)[]) =>
  z.refine<TokenFields>((fields) => fields.grant_type !== grant || names.some((name) => fields[name] !== undefined), {
    path: [names[0] ?? ''],
    params: { fault: faults.missing() },
    when: () => true,
  });

export const CreateTokenRequest = body(tokenFields)
  .check(
    needs('password', 'username', 'email'),
    needs('password', 'password', 'passwordHash'),
    needs('refresh_token', 'refresh_token'),
  )
  .meta({ id: 'CreateTokenRequest' });

export const TokenResponse = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.', examples: [900] }),
    refresh_token: z.string(),
  })
  .meta({ id: 'TokenResponse' });

/** As RFC 7009 has it. */
export const LogOutRequest = body({
  token: text({ min: 1, max: 4096, description: 'An access or refresh token of the session to end.' }),
  token_type_hint: optional(text({ max: 100, description: 'Not needed.' })),
  // What OAuth 2.0 client libraries send along; not used.
  client_id: tokenFields.client_id,
  client_secret: tokenFields.client_secret,
}).meta({ id: 'LogOutRequest' });

export const UserRead = z
  .strictObject({
    id: recordId(),
    email: z.string().meta({ format: 'email', examples: ['ada@example.com'] }),
    name: nullableText(),
    emailVerified: instant().nullable(),
    active: z.boolean(),
    admin: z.boolean(),
    image: nullableText(),
    location: nullableText(),
    website: nullableText(),
  })
  .meta({ id: 'UserRead' });

export const UserList = z.array(UserRead);

export const UserPath = z.object({ userId: id() });

export const JsonWebKeySet = z
  .strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
        kid: z.string().meta({ description: 'As in the header of a token.' }),
        x: z.string(),
      }),
    ),
  })
  .meta({ id: 'JsonWebKeySet' });

const keyName = () => text({ min: 1, max: 200, example: 'Till 7' });

export const KeyPath = z.object({ id: id() });

export const CreateAppKeyRequest = body({ name: keyName() }).meta({ id: 'CreateAppKeyRequest' });

const appKeyFields = { id: recordId(), name: z.string(), createdAt: instant() };

export const AppKeyRead = z.strictObject(appKeyFields).meta({ id: 'AppKeyRead' });

/** With the JWT, shown this once. */
export const CreatedAppKey = z.strictObject({ ...appKeyFields, key: z.string() }).meta({ id: 'CreatedAppKey' });

const futureDateTime = () =>
  dateTime().refine((value) => value.getTime() > Date.now(), {
    params: { fault: new Fault('datetime_future', 'Input should be in the future') },
  });

export const CreateKeyRequest = body({
  name: keyName(),
  scopes: list(oneOf(...scopes), { max: scopes.length }).default([]),
  fullAccess: boolean('Grants every scope but `giftcards:redeem`.').default(false),
  expiresAt: optional(futureDateTime()),
  sandbox: boolean('Makes a `tc_test_` key, which works on the sandbox of the merchant.').default(false),
}).meta({ id: 'CreateKeyRequest' });

export const RotateKeyRequest = body({
  graceHours: integer({
    min: 0,
    max: 168,
    description: 'How long the secret in force until now goes on working.',
  }).default(24),
}).meta({ id: 'RotateKeyRequest' });

const keyFields = {
  id: recordId(),
  name: z.string(),
  prefix: z.string().meta({ description: 'The first characters of the secret, to recognise it by.' }),
  scopes: z.array(z.string()),
  fullAccess: z.boolean(),
  createdAt: instant(),
  expiresAt: instant().nullable(),
  sandbox: z.boolean(),
  frozen: z.boolean(),
  frozenAt: instant().nullable(),
  rotatedAt: instant().nullable(),
  previousExpiresAt: instant()
    .nullable()
    .meta({ description: 'Until when the secret before the last rotation works; null when it stopped at once.' }),
  lastUsedAt: instant().nullable().meta({ description: 'Some seconds late.' }),
};

export const KeyRead = z.strictObject(keyFields).meta({ id: 'KeyRead' });

/** With the secret, shown this once. */
export const CreatedKey = z.strictObject({ ...keyFields, key: z.string() }).meta({ id: 'CreatedKey' });
