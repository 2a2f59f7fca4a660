import type { Handler } from '../../routes/route.ts';
import { type OpenApiDocument, SchemaQuery } from '../../schemas/service.ts';

export const getSchemaShapes = { query: SchemaQuery };

/** The public OpenAPI document. */
export const getSchema: Handler<typeof getSchemaShapes, typeof OpenApiDocument> = async ({ query }, { services }) => ({
  // Rendered once, at the start; sent as it is.
  text: services.schemaDocument(query.version),
  contentType: 'application/json',
  headers: { 'Cache-Control': 'public, max-age=300' },
});
