import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../routes/table.ts';
import { schemaVersions } from '../schemas/service.ts';
import { startTestGateway, type TestGateway } from '../testing.ts';
import { type OpenApi, renderDocument } from './document.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { SchemaChecker } from './testing.ts';

const publicUrl = 'https://api.example.com';
const documentOf = (version: (typeof schemaVersions)[number]): OpenApi =>
  renderDocument(routes, { version, publicUrl });
const copyOf = (document: OpenApi) => JSON.parse(JSON.stringify(document));

describe.each(schemaVersions)('version %s', (version) => {
  const document = documentOf(version);

  test('says which version it is', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', version]);
  });

  test('shows the public routes and no other', () => {
    const shown = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    const meant = routes.filter((route) => route.public && (route.since ?? '1.0.1') <= version);
    expect(shown.sort()).toEqual(meant.map(({ operationId }) => operationId).sort());
    expect(JSON.stringify(document)).not.toMatch(/\/v2\/(app)?keys|createToken|passwordHash|mfa/i);
  });

  test('names a schema for every body, and every reference leads somewhere', () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/(schemas|headers)\/([^"]+)"/g)];
    expect(names.length).toBeGreaterThan(100);
    for (const [, section, name] of names) {
      expect(Object.keys(document.components[section as 'schemas' | 'headers'])).toContain(name);
    }
    expect(text).not.toContain('$defs');
  });

  test('tells every error of an operation, with an example of each code', () => {
    const transfer = document.paths['/v2/giftcards/programs/{programId}/cards/{cardId}/transfer']?.post;
    const codes = Object.entries(transfer?.responses ?? {}).map(([status, response]) => [
      status,
      Object.keys(response.content?.['application/problem+json']?.examples ?? {}).sort(),
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      200: [],
      400: [
        'bad_request',
        'balance_limit_exceeded',
        'card_not_active',
        'currency_mismatch',
        'insufficient_balance',
        'invalid_amount',
        'same_card',
      ],
      401: ['incorrect_security_code', 'unauthorized'],
      402: ['key_frozen'],
      403: ['forbidden'],
      404: ['card_not_found', 'not_found'],
      409: ['card_locked', 'idempotency_in_progress'],
      413: ['payload_too_large'],
      415: ['unsupported_media_type'],
      422: [],
      429: ['monthly_quota_exceeded', 'rate_limited', 'security_code_locked'],
      500: ['internal'],
      503: ['unavailable'],
      default: ['expectation_failed', 'headers_too_large', 'request_timeout'],
    });
  });

  test('bounds are shown as they are enforced', () => {
    const { schemas } = document.components;
    expect(schemas.TransferBalanceRequest).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['securityCode', 'destinationCardNumber', 'amount'],
      properties: { securityCode: { type: 'string', minLength: 6, maxLength: 6 } },
    });
    const issue = document.paths['/v2/giftcards/programs/{programId}/cards']?.post;
    expect(issue?.parameters?.map((parameter) => `${parameter.in} ${parameter.name} ${parameter.required}`)).toEqual([
      'path programId true',
      'query cardId false',
      'header Idempotency-Key false',
      'header X-Request-Id false',
    ]);
    expect(document.paths['/v2/giftcards/customer/balance-check']?.post?.security).toEqual([]);
  });
});

test('every operation has examples of what it takes and answers, and all of them keep to their schemas', () => {
  const document = renderDocument(
    routes.map((route) => ({ ...route, public: true })),
    { version: '1.0.2', publicUrl },
  );
  const checker = new SchemaChecker(document);
  const faults: string[] = [];
  const check = (what: string, schema: JsonSchema, examples: readonly unknown[]) => {
    if (examples.length === 0) faults.push(`${what}: no example`);
    for (const example of examples) {
      const fault = checker.faultOf(schema, example);
      if (fault !== undefined) faults.push(`${what}: ${JSON.stringify(example)} ${fault}`);
    }
  };
  for (const { operationId, parameters, requestBody, responses } of Object.values(document.paths).flatMap(
    Object.values,
  ) as Operation[]) {
    const named = Object.entries(responses).map(
      ([status, { content }]) => [`${operationId} ${status}`, content] as const,
    );
    for (const [what, content] of [[`${operationId} body`, requestBody?.content] as const, ...named]) {
      for (const { schema, example, examples } of Object.values(content ?? {})) {
        check(what, schema, examples === undefined ? [example] : Object.values(examples).map(({ value }) => value));
      }
    }
    for (const { name, schema, example } of parameters) {
      if (example !== undefined) check(`${operationId} ${name}`, schema, [example]);
    }
  }
  expect(faults).toEqual([]);
});

test('the credentials that an operation takes are named, with the scope of an API key', () => {
  const { paths, components } = documentOf('1.0.1');
  const securityOf = (path: string, method = 'get') => paths[path]?.[method]?.security;
  expect(Object.keys(components.securitySchemes)).toEqual(['bearerAuth', 'apiKey']);
  expect(securityOf('/v2/token')).toEqual([{ bearerAuth: [] }, { apiKey: [] }]);
  expect(securityOf('/v2/webhooks', 'post')).toEqual([{ bearerAuth: [] }, { apiKey: ['webhooks:write'] }]);
  expect(securityOf('/v2/giftcards/customer/balance-check', 'post')).toEqual([]);
});

describe('served', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  test('1.0.1 unless 1.0.2 is asked for; nothing else', async () => {
    const version = async (query: string) => (await gateway.send('GET', `/openapi.public.json${query}`)).body;
    expect(await version('')).toEqual(copyOf(documentOf('1.0.1')));
    expect(await version('?version=1.0.2')).toMatchObject({ info: { version: '1.0.2' } });
    expect((await version('?version=2')).detail).toMatchObject([{ loc: ['query', 'version'], type: 'literal_error' }]);
  });

  test('the page shows every public operation, schema and error, and needs nothing from elsewhere', async () => {
    const { text, headers } = await gateway.send('GET', '/docs');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const { components } = documentOf('1.0.2');
    const sections = [
      ...routes.filter((one) => one.public).map(({ operationId }) => operationId),
      ...Object.keys(components.schemas).map((name) => `schema-${name}`),
      ...['authentication', 'errors'],
    ];
    for (const id of sections) expect(text).toContain(`id="${id}"`);
    for (const scheme of Object.keys(components.securitySchemes)) expect(text).toContain(`<code>${scheme}</code>`);
    const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.filter((id) => !text.includes(`id="${id}"`))).toEqual([]);
    expect(text).not.toMatch(/<link|<img|@import|url\(|src=/i);
    const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => String(script));
    expect(scripts).toHaveLength(1);
    const source = `'sha256-${createHash('sha256').update(String(scripts[0])).digest('base64')}'`;
    expect(headers['content-security-policy']).toContain(`script-src ${source};`);
  });
});
