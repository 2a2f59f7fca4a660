import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { breaches, operations, type Place } from '../support/contract/contract.ts';
import { type ContractAnswer, type ContractRequest, sendContract } from '../support/contract/contract-client.ts';
import { brokenParts, exampleParts, requestOf } from '../support/contract/requests.ts';
import { createWorld, credentials, type World } from '../support/contract/world.ts';
import { sharedDemo } from '../support/shared-stack.ts';

// What a schema does not allow is refused, in the way that the schema says.

const { baseUrl } = sharedDemo();
const missing = '0123456789abcdef01234567';
let world: World;

beforeAll(async () => {
  world = await createWorld('https://shop.example.com/hook');
});
afterAll(() => world.clean());

/** Administrators' operations need a user that a merchant does not have: they refuse everything. */
const isOpen = ({ tags }: Place) => tags[0] !== 'Administration';
const open = operations.filter(isOpen);
const named = (places: readonly Place[]) => places.map((place) => [place.operationId, place] as const);
const isGuarded = ({ security }: Place) => security.length > 0;
const hasBody = ({ requestBody }: Place) => requestBody !== undefined;

const baseOf = async (place: Place) => exampleParts(place, await world.knownFor(place.operationId));

interface Refusal {
  readonly status: number;
  readonly code?: string;
}

/** Sends a request and says what is not as it should be. */
async function faultsOf(place: Place, request: ContractRequest, expected: Refusal): Promise<string[]> {
  const answer = await sendContract(baseUrl, request);
  const faults = breaches(place, answer);
  if (answer.status !== expected.status) faults.push(`${answer.status}, not ${expected.status}`);
  const { code } = answer.body as { code?: string };
  if (expected.code !== undefined && code !== expected.code) faults.push(`the code is ${code}, not ${expected.code}`);
  return faults.map((fault) => `${request.method} ${request.path}: ${fault} ${JSON.stringify(answer.body)}`);
}

/** Whether a 422 names the part of the request and the field. */
function isNamed({ body }: ContractAnswer, source: string, path: readonly string[]): boolean {
  const { detail = [] } = body as { detail?: { loc: string[] }[] };
  return detail.some(({ loc }) => loc[0] === source && path.every((name) => loc.includes(name)));
}

test.each(named(open))('%s refuses each single fault with a 422 that names it', async (_name, place) => {
  const faults: string[] = [];
  for (const { what, parts, source, path } of brokenParts(place, await baseOf(place))) {
    const request = requestOf(place, parts);
    const answer = await sendContract(baseUrl, request);
    const found = breaches(place, answer);
    if (answer.status !== 422) found.push(`answers ${answer.status}`);
    else if (!isNamed(answer, source, path)) found.push(`does not name it: ${JSON.stringify(answer.body)}`);
    faults.push(
      ...found.map(
        (fault) => `${source}: ${what}: ${fault} (${request.method} ${request.path} ${JSON.stringify(request.body)})`,
      ),
    );
  }
  expect(faults).toEqual([]);
});

test.each(named(operations.filter(isGuarded)))('%s refuses a request without a good token', async (_name, place) => {
  const request = requestOf(place, await baseOf(place));
  const faults: string[] = [];
  for (const token of [undefined, 'nonsense', `tc_live_${'a'.repeat(40)}`]) {
    faults.push(...(await faultsOf(place, { ...request, token }, { status: 401, code: 'unauthorized' })));
  }
  const basic = { ...request, token: undefined, headers: { authorization: 'Basic YTpi' } };
  faults.push(...(await faultsOf(place, basic, { status: 401, code: 'unauthorized' })));
  expect(faults).toEqual([]);
});

/** The scope that the schema says an API key needs; undefined: no API key will do. */
const scopeOf = ({ security }: Place) => security.find((requirement) => requirement.apiKey !== undefined)?.apiKey?.[0];
const needsMore = operations.filter(
  (place) => isGuarded(place) && (scopeOf(place) !== undefined || place.security.every(({ apiKey }) => !apiKey)),
);

test.each(named(needsMore))('%s refuses an API key without scopes, and names what it lacks', async (_name, place) => {
  const request = { ...requestOf(place, await baseOf(place)), token: credentials.withoutScopes };
  const answer = await sendContract(baseUrl, request);
  expect(breaches(place, answer)).toEqual([]);
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'forbidden', scope: scopeOf(place) ?? expect.any(String) },
  });
});

test.each(named(open.filter(({ path }) => path.includes('{'))))(
  '%s does not find what is not there',
  async (_name, place) => {
    const base = await baseOf(place);
    const faults: string[] = [];
    for (const name of Object.keys(base.path)) {
      const request = requestOf(place, { ...base, path: { ...base.path, [name]: missing } });
      faults.push(...(await faultsOf(place, request, { status: 404 })));
    }
    expect(faults).toEqual([]);
  },
);

describe('a body that cannot be read', () => {
  test.each(named(open.filter(hasBody)))('is refused by %s', async (_name, place) => {
    const request = requestOf(place, await baseOf(place));
    const types = Object.keys(place.requestBody?.content ?? {});
    const faults: string[] = [];
    for (const body of ['{"a": ', '[', 'nul', '"\\ud800', '{"a":1}}']) {
      faults.push(...(await faultsOf(place, { ...request, body }, { status: 422 })));
    }
    const wrongType = { ...request, headers: { 'content-type': 'text/plain' } };
    faults.push(...(await faultsOf(place, wrongType, { status: 415, code: 'unsupported_media_type' })));
    const packed = { ...request, headers: { 'content-type': String(types[0]), 'content-encoding': 'gzip' } };
    faults.push(...(await faultsOf(place, packed, { status: 415, code: 'unsupported_media_type' })));
    const large = { ...request, body: JSON.stringify({ a: 'x'.repeat(1024 * 1024) }) };
    faults.push(...(await faultsOf(place, large, { status: 413, code: 'payload_too_large' })));
    if (place.requestBody?.required) {
      faults.push(...(await faultsOf(place, { ...request, body: undefined }, { status: 422 })));
    }
    expect(faults).toEqual([]);
  });
});

test('a path that cannot be decoded is a bad request wherever a path has a parameter', async () => {
  const withParameters = operations.filter(({ path }) => path.includes('{'));
  const faults: string[] = [];
  for (const place of withParameters) {
    const path = place.path.replace(/\{\w+\}/g, '%ff');
    faults.push(...(await faultsOf(place, { method: place.method, path }, { status: 400, code: 'bad_request' })));
  }
  expect(faults).toEqual([]);
});
