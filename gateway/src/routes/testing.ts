import { exampleOf } from '../openapi/example.ts';
import { SchemaCollector } from '../openapi/json-schema.ts';
import { ids } from '../testing.ts';
import type { Route } from './route.ts';

const pathIds: Record<string, string> = {
  programId: ids.program,
  cardId: ids.card,
  transactionId: ids.transaction,
};

/** A path of a route with ids filled in. */
export const pathOf = (route: Route) =>
  route.path.replace(/:(\w+)/g, (_match, name: string) => pathIds[name] ?? ids.record) + queryOf(route);

/** The query parameters that a route cannot do without. */
export function queryOf({ request }: Route): string {
  if (request.query === undefined) return '';
  const { properties = {}, required = [] } = new SchemaCollector().render(request.query, 'input');
  const example = (name: string) => String(exampleOf(properties[name] ?? {}, {}));
  const query = new URLSearchParams(Object.fromEntries(required.map((name) => [name, example(name)])));
  return query.size === 0 ? '' : `?${query}`;
}

/** A body that a route accepts. */
export function validBody(route: Route): unknown {
  if (route.request.body === undefined) return undefined;
  if (route.operationId === 'createToken') return { email: 'ada@example.com', password: 'correct horse' };
  const schemas = new SchemaCollector();
  const body = exampleOf(schemas.render(route.request.body, 'input'), schemas.components) as Record<string, unknown>;
  if (body.merchantId !== undefined) body.merchantId = ids.merchant;
  return body;
}
