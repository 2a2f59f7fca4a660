import { z } from 'zod';
import type { Route } from '../routes/route.ts';

/** The query parameters that may be given more than once: those whose shape is a list. */
export function repeatableOf(route: Route): readonly string[] {
  const fields = Object.entries(route.request.query?.shape ?? {});
  return fields.filter(([, schema]) => isList(schema)).map(([name]) => name);
}

function isList(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isList(schema.unwrap());
  return schema instanceof z.ZodArray;
}
