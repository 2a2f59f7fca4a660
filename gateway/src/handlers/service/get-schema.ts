import type { Handler } from '../../routes/route.ts';
import { type OpenApiDocument, SchemaQuery } from '../../schemas/service.ts';

export const getSchemaShapes = { query: SchemaQuery };

/** The public OpenAPI document. */
export const getSchema: Handler<typeof getSchemaShapes, typeof OpenApiDocument> = async ({ query }, { services }) => ({
  document: services.schemaDocument(query.version),
  headers: { 'Cache-Control': 'public, max-age=300' },
});
