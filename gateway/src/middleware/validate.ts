import type { z } from 'zod';
import { unprocessable, type ValidationItem } from '#platform/errors.ts';
import type { Input, RequestShapes, Route } from '../routes/route.ts';
import { faults } from '../validation/fault.ts';
import { type Source, toValidationItems } from '../validation/translate-issues.ts';
import { noBody } from './read-body.ts';

/** The raw parts of a request. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/**
 * Parses every part of a request by the route's shapes.
 * @throws {AppError} `unprocessable` with every fault of every part.
 */
export function validate(route: Route, raw: RawRequest): Input<RequestShapes> {
  const { params, query, headers, body } = route.request;
  const items: ValidationItem[] = [];
  const parse = (schema: z.ZodType, source: Source, value: unknown) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    items.push(...toValidationItems(result.error.issues, source, value));
    return undefined;
  };
  const input = {
    params: params && parse(params, 'path', raw.params),
    query: query && parse(query, 'query', raw.query),
    headers: headers && parse(headers, 'header', raw.headers),
    body: undefined as unknown,
  };
  if (body !== undefined) {
    // JSON's null is no body either.
    if (raw.body !== noBody && raw.body !== null) input.body = parse(body, 'body', raw.body);
    else if (route.bodyOptional) input.body = parse(body, 'body', {});
    else items.push(absentBody);
  }
  if (items.length > 0) throw unprocessable(items);
  return input as Input<RequestShapes>;
}

const { type, msg } = faults.missing();
const absentBody: ValidationItem = { type, loc: ['body'], msg, input: null };
