import type { z } from 'zod';
import type { ValidationItem } from '#platform/errors.ts';
import { concealed, echo, echoName } from './echo.ts';
import { Fault, faults } from './fault.ts';

/** The part of a request that a value was sent in; the first element of `loc`. */
export type Source = 'path' | 'query' | 'header' | 'body';

type Issue = z.core.$ZodIssue;

/** Items in one answer; a body cannot be made to yield more. */
export const itemsMax = 200;

/**
 * Renders zod's findings as the items of the spec's Validation error body, with the type words, messages and context
 * of pydantic 2.
 * @param value what was parsed: a missing field is answered with its parent object as `input`.
 */
export function toValidationItems(issues: readonly Issue[], source: Source, value: unknown): ValidationItem[] {
  const items: ValidationItem[] = [];
  for (const issue of issues.slice(0, itemsMax)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, itemsMax))
        items.push(itemAt(source, value, [...issue.path, key], faults.extra()));
      continue;
    }
    const found = at(value, issue.path);
    const absent = found === undefined && issue.path.length > 0;
    items.push(itemAt(source, value, issue.path, absent ? faults.missing() : toFault(issue, found)));
  }
  return items.slice(0, itemsMax);
}

function itemAt(source: Source, value: unknown, path: readonly PropertyKey[], fault: Fault): ValidationItem {
  const echoed = fault.type === 'missing' ? path.slice(0, -1) : path;
  return {
    type: fault.type,
    loc: [source, ...path.map((part) => echoName(String(part)))],
    msg: fault.msg,
    input: typeof value === 'string' ? concealed : echo(at(value, echoed), fieldName(echoed)),
    ...(fault.ctx && { ctx: fault.ctx }),
  };
}

/** The name that a value goes by; an item of a list goes by the list's. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.findLast((part) => typeof part === 'string')?.toString() ?? '';
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[part];
  }
  return found;
}

function toFault(issue: Issue, found: unknown): Fault {
  switch (issue.code) {
    case 'custom':
      return issue.params?.fault instanceof Fault ? issue.params.fault : new Fault('value_error', issue.message);
    case 'invalid_type':
      return ofType(issue.expected);
    case 'invalid_value':
      return faults.notALiteral(issue.values);
    case 'invalid_union':
      return unionFault(issue);
    case 'too_small':
      return issue.origin === 'array'
        ? faults.listTooShort(Number(issue.minimum), lengthOf(found))
        : faults.tooShort(Number(issue.minimum));
    case 'too_big':
      return issue.origin === 'array'
        ? faults.listTooLong(Number(issue.maximum), lengthOf(found))
        : faults.tooLong(Number(issue.maximum));
    default:
      return new Fault('value_error', 'Value error, the value is not valid');
  }
}

/** The word that tells which member of a union is meant is none of those there are. */
function unionFault(issue: z.core.$ZodIssueInvalidUnion): Fault {
  const options = (issue as { options?: readonly unknown[] }).options;
  return options === undefined
    ? new Fault('value_error', 'Value error, the value is not valid')
    : faults.notALiteral(options);
}

function ofType(expected: string): Fault {
  switch (expected) {
    case 'string':
      return faults.notAString();
    case 'array':
      return faults.notAList();
    case 'object':
      return faults.notAnObject();
    case 'record':
      return new Fault('dict_type', 'Input should be a valid dictionary');
    default:
      return new Fault(`${expected}_type`, `Input should be a valid ${expected}`);
  }
}

const lengthOf = (found: unknown): number => (Array.isArray(found) ? found.length : 0);
