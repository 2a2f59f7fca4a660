import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { startFakeApiServer } from './api-server.ts';
import { chartDir, helm } from './helm.ts';
import { valuesFiles } from './lint.ts';
import type { Manifest, PodSpec } from './manifest.ts';

/** What helm calls the release in tests, and where it goes. */
export const release = { name: 'shop', namespace: 'shop' };
/** What the names of the release's objects begin with, unless a values file says otherwise. */
export const fullname = 'shop-tallycard';
/** Without it helm takes the version that it was built for. */
const kubeVersion = '1.34.0';

const rendered = new Map<string, Promise<Manifest[]>>();

/**
 * The objects of a release, hooks and tests included.
 *
 * @param values - name of a values file
 * @param sets - what `--set` says besides, as in `ingress.enabled=true`
 * @throws StackError with what the chart says if it refuses
 */
export function render(values: string, ...sets: string[]): Promise<readonly Manifest[]> {
  const args = [values, ...sets];
  const known = rendered.get(args.join('\n')) ?? template(values, sets);
  rendered.set(args.join('\n'), known);
  return known;
}

/** Renders with options and an environment for helm. */
export async function template(values: string, sets: readonly string[], flags: string[] = [], env = {}) {
  const file = valuesFiles[values];
  if (file === undefined) throw new Error(`there is no values file "${values}"`);
  const where = ['template', release.name, chartDir, '--namespace', release.namespace, '--kube-version', kubeVersion];
  const given = ['--values', file, ...sets.flatMap((set) => ['--set', set])];
  const text = await helm([...where, ...given, ...flags], env);
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'));
    const object = document.toJS() as Manifest | null;
    return object === null ? [] : [object];
  });
}

/**
 * Renders with values "ingress" as helm does where it may ask a cluster.
 *
 * @param inCluster - secrets and Deployments that are there
 */
export async function templateInCluster(
  inCluster: readonly Manifest[],
  sets: readonly string[],
  flags: readonly string[],
): Promise<Manifest[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tallycard-chart-'));
  const server = await startFakeApiServer(inCluster, release.namespace, dir);
  try {
    return await template('ingress', sets, [...flags, '--dry-run=server', '--kubeconfig', server.kubeconfig]);
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true });
  }
}

/** What the chart says to wrong values. */
export async function refusal(values: string, ...sets: string[]): Promise<string> {
  return render(values, ...sets).then(
    () => 'it is taken',
    (error: Error) => error.message,
  );
}

/** Those of a kind. */
export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((each) => each.kind === kind);
}

/** The one of a kind with this end of its name. @throws if there is none, or more */
export function one(manifests: readonly Manifest[], kind: string, suffix = ''): Manifest {
  const found = ofKind(manifests, kind).filter(({ metadata }) => metadata.name.endsWith(suffix));
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} ${kind}s end in "${suffix}"`);
  return found[0];
}

export interface Pod {
  /** Kind and name of what makes it. */
  readonly owner: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** The pods of a release: of Deployments, StatefulSets and Jobs, and bare ones. */
export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap((manifest) => {
    const owner = `${manifest.kind}/${manifest.metadata.name}`;
    const { template, containers, ...rest } = manifest.spec ?? {};
    if (template !== undefined) return [{ owner, labels: template.metadata.labels, spec: template.spec }];
    if (containers === undefined) return [];
    return [{ owner, labels: manifest.metadata.labels, spec: { ...rest, containers } }];
  });
}
