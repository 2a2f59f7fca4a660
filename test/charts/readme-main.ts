// Writes the chart's README.md anew.
import { writeFileSync } from 'node:fs';
import { makeReadme, readmeFile } from './readme.ts';

writeFileSync(readmeFile, await makeReadme());
