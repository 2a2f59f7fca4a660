import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '#stack/paths.ts';
import { chartDir, helm } from './helm.ts';

const valuesDir = join(repoRoot, 'test', 'charts', 'values');

/** The values files that the chart is tried with, by name: those of test/charts/values, and the cluster's. */
export const valuesFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(readdirSync(valuesDir).map((file) => [file.replace('.yaml', ''), join(valuesDir, file)])),
  kube: join(repoRoot, 'test', 'kube', 'values.yaml'),
};

/** What `helm lint --strict` finds with any of the values files. */
export async function helmLintFaults(): Promise<string[]> {
  const lints = Object.values(valuesFiles).map((file) => {
    return helm(['lint', '--strict', '--quiet', chartDir, '--values', file]).then(
      () => '',
      (error: Error) => `${file}: ${error.message}`,
    );
  });
  return (await Promise.all(lints)).filter(Boolean);
}
