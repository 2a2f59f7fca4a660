import SwaggerParser from '@apidevtools/swagger-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { renderDocument } from '../../gateway/src/openapi/document.ts';
import { routes } from '../../gateway/src/routes/table.ts';
import { schemaVersions } from '../../gateway/src/schemas/service.ts';

/** Renders both versions of the public schema and says what two independent validators have against them. */
export async function openApiFaults(): Promise<string[]> {
  const faults = schemaVersions.map(async (version) => {
    const document = renderDocument(routes, { version, publicUrl: 'https://api.example.com' });
    return (await documentFaults(document)).map((fault) => `${version}: ${fault}`);
  });
  return (await Promise.all(faults)).flat();
}

type AnyDocument = Parameters<typeof SwaggerParser.validate>[0] & object;

/** What the validators have against one document; they may change it, so each gets a copy. */
export async function documentFaults(document: object): Promise<string[]> {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as Record<string, unknown>);
  const parsed = SwaggerParser.validate(structuredClone(document) as AnyDocument);
  const refused = await parsed.then(
    () => [],
    (error: Error) => [`swagger-parser: ${error.message}`],
  );
  return [...(valid ? [] : [`openapi-schema-validator: ${JSON.stringify(errors)}`]), ...refused];
}
