import { z } from 'zod';
import { oneOf } from './primitives.ts';

export const StatusResponse = z
  .strictObject({ status: z.literal('ok'), version: z.string().meta({ examples: ['0.1.0'] }) })
  .meta({ id: 'StatusResponse' });

/** Versions of the public schema; the first is served when none is asked for. */
export const schemaVersions = ['1.0.1', '1.0.2'] as const;

export type SchemaVersion = (typeof schemaVersions)[number];

export const SchemaQuery = z.object({ version: oneOf(...schemaVersions).default('1.0.1') });

/** An OpenAPI document; described by its own specification. */
export const OpenApiDocument = z.looseObject({ openapi: z.string().meta({ examples: ['3.1.0'] }) });
