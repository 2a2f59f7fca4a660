import fc from 'fast-check';
import { exampleOf } from '../../../gateway/src/openapi/example.ts';
import type { JsonSchema } from '../../../gateway/src/openapi/json-schema.ts';
import type { Parameter } from '../../../gateway/src/openapi/operation.ts';
import { type Broken, brokenValues } from './broken-input.ts';
import { document, type Place } from './contract.ts';
import type { ContractRequest } from './contract-client.ts';
import { resolve } from './schema-walk.ts';
import { type Known, valid } from './valid-input.ts';
import { credentials } from './world.ts';

const components = document.components.schemas;

/** What a request of an operation is made of, before it is put together. */
export interface Parts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly header: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Source = keyof Parts;

/** Made anew for each run by the same seed; a failure names it. */
export const seed = Number(process.env.CONTRACT_SEED ?? 20_261_121);

const bodySchema = ({ requestBody }: Place) => requestBody?.content['application/json']?.schema;
const inOf = ({ parameters }: Place, place: Parameter['in']) =>
  parameters.filter((parameter) => parameter.in === place);
/** Conditions are tested by themselves. */
const isPlain = ({ name }: Parameter) => name !== 'If-None-Match';

/** The documented example, with the names of real records. */
export function exampleParts(place: Place, known: Known): Parts {
  const fill = (at: Parameter['in']) =>
    Object.fromEntries(
      inOf(place, at)
        .filter(({ required, name }) => required || (at === 'query' && Object.hasOwn(known, name)))
        .map(({ name, schema }) => [name, String(known[name] ?? exampleOf(schema, components))]),
    );
  const schema = bodySchema(place);
  const body = schema && { ...(exampleOf(schema, components) as object) };
  const named = Object.entries(known).filter(([name]) => Object.hasOwn(body ?? {}, name));
  return {
    path: fill('path'),
    query: fill('query'),
    header: {},
    body: body && { ...body, ...Object.fromEntries(named) },
  };
}

/** Whatever the schemas of an operation allow, `count` times. */
export function validParts(place: Place, knowns: readonly Known[]): Parts[] {
  return knowns.map((known, index) => {
    const values = (at: Parameter['in']) => {
      const plain = inOf(place, at).filter(isPlain);
      const entries = plain.map(({ name, schema }) => [name, valid(schema, components, known, name)] as const);
      const requiredKeys = plain.filter(({ required }) => required).map(({ name }) => name);
      return fc.record(Object.fromEntries(entries), { requiredKeys }).map(asText);
    };
    const schema = bodySchema(place);
    const body = schema === undefined ? fc.constant(undefined) : valid(schema, components, known);
    const parts = fc.record({
      path: values('path'),
      query: values('query'),
      header: values('header').map(asHeaders),
      body,
    });
    return fc.sample(parts, { numRuns: 1, seed: seed + index })[0] as Parts;
  });
}

/** Of a list each item goes by itself: `?a=1&a=2`. */
const asText = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value == null ? [] : [[name, Array.isArray(value) ? value.map(String) : String(value)]],
    ),
  );

/** HTTP headers hold visible ASCII and spaces within. */
const asHeaders = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      String(value)
        .replace(/[^ -~]/g, 'x')
        .trim(),
    ]),
  );

/** A request with one fault. */
export interface BrokenParts extends Pick<Broken, 'what'> {
  readonly parts: Parts;
  readonly source: string;
  readonly path: readonly string[];
}

/** Every single fault that a request of an operation may have. */
export function brokenParts(place: Place, base: Parts): BrokenParts[] {
  const schema = bodySchema(place);
  const inBody = schema === undefined ? [] : brokenValues(schema, components, base.body);
  const bodies = inBody.map(({ what, value, path }) => ({
    what,
    path,
    source: 'body',
    parts: { ...base, body: value },
  }));
  return [...bodies, ...(['path', 'query', 'header'] as const).flatMap((at) => brokenParameters(place, base, at))];
}

function brokenParameters(place: Place, base: Parts, at: Exclude<Source, 'body'>): BrokenParts[] {
  return inOf(place, at)
    .filter(({ name }) => name !== 'If-None-Match' && name !== 'X-Request-Id')
    .flatMap(({ name, schema, required }) => {
      const broken = brokenTexts(at, schema).map(({ what, value }) => ({ what: `${name}: ${what}`, value }));
      const { [name]: _left, ...rest } = base[at];
      const faults = broken.map(({ what, value }) => ({ what, values: { ...base[at], [name]: value } }));
      const missing = required && at !== 'path' ? [{ what: `${name}: missing`, values: rest }] : [];
      return [...faults, ...missing].map(({ what, values }) => ({
        ...{ what, source: at, path: [at === 'header' ? name.toLowerCase() : name] },
        parts: { ...base, [at]: values },
      }));
    });
}

/** Parameters are texts; one that is a list may be one text alone, or several. */
function brokenTexts(at: Source, schema: JsonSchema): { what: string; value: string | string[] }[] {
  const isList = resolve(schema, components).type === 'array';
  return brokenValues(schema, components, undefined).flatMap(({ what, value }) => {
    const isText = (one: unknown) => typeof one !== 'object';
    if (isList && Array.isArray(value)) return value.every(isText) ? { what, value: value.map(String) } : [];
    return !isList && isText(value) && isSendable(at, String(value)) ? { what, value: String(value) } : [];
  });
}

/** An empty segment is another address, and an empty header none. */
const isSendable = (at: Source, value: string) => value !== '' || at === 'query';

/** Puts a request together, with the credential that the operation is for. */
export function requestOf(place: Place, { path, query, header, body }: Parts): ContractRequest {
  const filled = place.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(path[name] ?? ''));
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  );
  return {
    method: place.method,
    path: asked.size === 0 ? filled : `${filled}?${asked}`,
    token: tokenOf(place),
    headers: header,
    body,
  };
}

/** What keys may not do, an access token may. */
function tokenOf({ security, description = '' }: Place): string | undefined {
  if (security.length === 0) return undefined;
  return description.includes('For access tokens') && !description.includes('app keys')
    ? credentials.accessToken
    : credentials.appKey;
}
