// npm run check: everything that can be said about the tree without running the product.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { repoRoot } from '#stack/paths.ts';
import { elapsed } from '#stack/progress.ts';
import { helmLintFaults } from './charts/lint.ts';
import { readmeFaults } from './charts/readme.ts';
import { summaryLine } from './support/test-counts.ts';
import { staleClient, staleFiles } from './tidy/generated-code.ts';
import { openApiFaults } from './tidy/openapi-document.ts';
import { tidyFaults } from './tidy/tidy.ts';

/** Many times what a step takes on two idle cores. */
const stepTimeoutMs = 180_000;
const outputBytesMax = 4 * 1024 * 1024;

interface Step {
  readonly name: string;
  /** Resolves with what is wrong; empty if nothing is. */
  readonly faults: () => Promise<string>;
}

const protoDir = join(repoRoot, 'proto');

/** A command that ends with 0, or whose output says what is wrong. */
function command(name: string, args: string[], cwd = repoRoot): Promise<string> {
  const file = join(repoRoot, 'node_modules', '.bin', name);
  const options = { cwd, timeout: stepTimeoutMs, maxBuffer: outputBytesMax };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const late = error?.killed ? `took longer than ${stepTimeoutMs / 1000} s` : '';
      resolve(error === null ? '' : late || `${stdout}${stderr}`.trim() || error.message);
    });
  });
}

/** First as the product is, where tests do not count as users; then with the tests, for what they and the tools need. */
async function deadCode(): Promise<string> {
  const product = await command('knip', ['--production', '--no-progress']);
  const all = await command('knip', ['--no-progress', '--no-config-hints']);
  return [product, all].filter(Boolean).join('\n');
}

const steps: Step[] = [
  { name: 'types', faults: () => command('tsc', ['--noEmit', '-p', 'tsconfig.json']) },
  {
    name: 'lint and format',
    faults: () => command('biome', ['check', '--error-on-warnings', '--max-diagnostics=50', '.']),
  },
  { name: 'buf lint', faults: () => command('buf', ['lint'], protoDir) },
  { name: 'dead code', faults: deadCode },
  { name: 'helm lint', faults: async () => (await helmLintFaults()).join('\n') },
  { name: 'chart README', faults: async () => (await readmeFaults()).join('\n') },
  { name: 'tidy', faults: async () => tidyFaults(repoRoot).join('\n') },
  { name: 'OpenAPI documents', faults: async () => (await openApiFaults()).join('\n') },
  {
    name: 'generated code',
    faults: async () => [...(await staleFiles(protoDir)), ...(await staleClient())].join('\n'),
  },
];

async function passes({ name, faults }: Step): Promise<boolean> {
  const startedAtMs = Date.now();
  const found = await faults().catch((error: Error) => error.stack ?? error.message);
  const verdict = found === '' ? 'ok' : 'FAILED';
  process.stdout.write(`${verdict.padEnd(6)} ${name} (${elapsed(startedAtMs)})\n${found === '' ? '' : `${found}\n\n`}`);
  return found === '';
}

const results = await Promise.all(steps.map(passes));
const passed = results.filter(Boolean).length;
process.stdout.write(`check: ${summaryLine({ passed, failed: results.length - passed })}\n`);
process.exitCode = passed === results.length ? 0 : 1;
