// npm run generate: writes the types that the typed client of the tests is made of.
import { writeFile } from 'node:fs/promises';
import { clientTypes } from './generate-types.ts';

await writeFile(new URL('api-types.ts', import.meta.url), await clientTypes());
