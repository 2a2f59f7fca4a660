import { type OpenApi, renderDocument } from '../../../gateway/src/openapi/document.ts';
import type { Operation } from '../../../gateway/src/openapi/operation.ts';
import { SchemaChecker } from '../../../gateway/src/openapi/testing.ts';
import { routes } from '../../../gateway/src/routes/table.ts';
import type { ContractAnswer } from './contract-client.ts';

/** An operation and where it is. */
export interface Place extends Operation {
  readonly path: string;
  readonly method: string;
}

/** Everything there is, shown to the public or not, at its newest version. */
export const document: OpenApi = renderDocument(
  routes.map((route) => ({ ...route, public: true })),
  { version: '1.0.2', publicUrl: 'http://gateway' },
);

export const operations: readonly Place[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);

const shown = new Set(routes.filter((route) => route.public).map(({ operationId }) => operationId));

/** Whether the public schema shows an operation. */
export const isPublic = ({ operationId }: Operation): boolean => shown.has(operationId);

const checker = new SchemaChecker(document);

/** @returns what an answer has that the operation does not say, or lacks of what it says; empty when it keeps to it. */
export function breaches({ responses }: Place, { status, headers, body }: ContractAnswer): string[] {
  const declared = responses[status];
  if (declared === undefined) return [`status ${status} is not declared`];
  const faults: string[] = [];
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  const media = declared.content?.[type];
  if (declared.content === undefined ? type !== '' : media === undefined) {
    faults.push(`${status} as ${type || 'nothing'} is not declared`);
  }
  const fault = media && checker.faultOf(media.schema, body);
  if (fault !== undefined) faults.push(`the body of ${status} breaks its schema: ${fault}`);
  if (media?.examples !== undefined) {
    const { code } = body as { code?: string };
    if (!Object.hasOwn(media.examples, String(code))) faults.push(`${status} with the code ${code} is not declared`);
  }
  return [...faults, ...headerBreaches(declared.headers, status, headers)];
}

/** Of these every answer is free to carry any. */
const anywhere = new Set(['vary', 'cache-control']);
const headerComponents = document.components.headers as Readonly<Record<string, { required?: boolean }>>;

function headerBreaches(
  declared: Operation['responses'][string]['headers'],
  status: number,
  headers: ContractAnswer['headers'],
): string[] {
  const isRequired = (name: string) => ({ ...headerComponents[name], ...declared[name] }).required === true;
  const lacking = Object.keys(declared).filter((name) => isRequired(name) && headers[name.toLowerCase()] === undefined);
  const unsaid = Object.keys(headerComponents).filter((name) => {
    const known = name.toLowerCase();
    return headers[known] !== undefined && declared[name] === undefined && !anywhere.has(known);
  });
  return [
    ...lacking.map((name) => `${status} lacks the header ${name}`),
    ...unsaid.map((name) => `${status} has the header ${name}, which is not declared`),
  ];
}
