import { expect, test } from '@jest/globals';
import { documentFaults, openApiFaults } from './openapi-document.ts';

const document = (pathItem: object) => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: { '/a/{id}': pathItem },
});
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const responses = { 200: { description: 'Fine.' } };

test('both versions of the public schema are valid OpenAPI 3.1 to two validators', async () => {
  expect(await openApiFaults()).toEqual([]);
});

test('each validator is heard', async () => {
  expect(await documentFaults(document({ get: { parameters: [id], responses } }))).toEqual([]);
  expect(await documentFaults(document({ get: { parameters: [{ ...id, in: 'nowhere' }], responses } }))).toEqual([
    expect.stringContaining('openapi-schema-validator'),
    expect.stringContaining('swagger-parser'),
  ]);
});
