import type { z } from 'zod';
import type { ValidationItem } from '#platform/errors.ts';
import type { RequestShapes } from '../routes/route.ts';
import { type Source, toValidationItems } from '../validation/translate-issues.ts';

const itemsMax = 2;
const tooLong = 'x'.repeat(300);

/** What a route really answers to malformed input, as an example of its 422. */
export function validationExample(request: RequestShapes): { detail: readonly ValidationItem[] } {
  const { body, params, query, headers } = request;
  const items =
    faultsOf('body', body, {}) ??
    faultsOf('body', body, { unexpected: true }) ??
    faultsOf('path', params, each(params, 'ABC')) ??
    faultsOf('query', query, each(query, 'x')) ??
    faultsOf('header', headers, each(headers, '')) ??
    faultsOf('header', headers, each(headers, tooLong)) ??
    [];
  return { detail: items.slice(0, itemsMax) };
}

function faultsOf(source: Source, shape: z.ZodType | undefined, value: unknown): ValidationItem[] | undefined {
  const issues = shape?.safeParse(value).error?.issues;
  return issues && toValidationItems(issues, source, value);
}

const each = (shape: z.ZodObject | undefined, value: string) =>
  Object.fromEntries(Object.keys(shape?.shape ?? {}).map((name) => [name, value]));
