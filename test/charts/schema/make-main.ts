// Writes kubernetes-1.34.json.gz and compose-spec.json.gz anew: what the objects of the chart and of compose.yaml may
// look like. Needs kubectl with a cluster of that version, and go: the operators' CRDs and the Compose specification come
// as Go modules. All of them are under the Apache License 2.0.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { run } from '#stack/command.ts';
import { repoRoot } from '#stack/paths.ts';

type Schema = Record<string, unknown>;

const here = join(repoRoot, 'test', 'charts', 'schema');
const core: Record<string, string[]> = {
  'api/v1': ['ConfigMap', 'Pod', 'Secret', 'Service', 'ServiceAccount'],
  'apis/apps/v1': ['Deployment', 'StatefulSet'],
  'apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'apis/batch/v1': ['Job'],
  'apis/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'apis/policy/v1': ['PodDisruptionBudget'],
};
const operator = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const operatorFile = (name: string) => `example/prometheus-operator-crd/monitoring.coreos.com_${name}.yaml`;
const custom: [module: string, file: string][] = [
  [operator, operatorFile('servicemonitors')],
  [operator, operatorFile('prometheusrules')],
  ['sigs.k8s.io/gateway-api@v1.6.1', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
];
const composeModule = 'github.com/compose-spec/compose-go/v2@v2.16.2';
const answerBytesMax = 64 * 1024 * 1024;
const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const mapValues = (of: Schema, change: (value: Schema) => Schema) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value as Schema)]));

/** The schema without what is for people, where an object has no fields but those that it names. */
function closed(schema: Schema): Schema {
  const { description: _, ...rest } = schema;
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-')));
  // Go's way to say that capitals do not matter.
  if (typeof kept.pattern === 'string') kept.pattern = kept.pattern.replace(/^\^\(\?i\)(.*)\$$/, '^(?i:$1)$');
  if (isSchema(kept.items)) kept.items = closed(kept.items);
  if (isSchema(kept.additionalProperties)) kept.additionalProperties = closed(kept.additionalProperties);
  if (!isSchema(kept.properties)) return kept;
  kept.properties = mapValues(kept.properties, closed);
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in kept;
  return open ? kept : { ...kept, additionalProperties: false };
}

const moved = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/')) as Schema;

/** What `names` refer to, all the way down. */
function reachable(all: Schema, names: readonly string[], found: Schema = {}): Schema {
  for (const name of names.filter((each) => !(each in found))) {
    found[name] = all[name];
    const refs = [...JSON.stringify(all[name]).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, ref = '']) => ref);
    reachable(all, refs, found);
  }
  return found;
}

async function moduleFile(module: string, file: string): Promise<string> {
  const { Dir: dir } = JSON.parse(await run('go', ['mod', 'download', '-json', module])) as { Dir: string };
  return readFileSync(join(dir, file), 'utf8');
}

function published(path: string): Schema {
  const answer = execFileSync('kubectl', ['get', '--raw', `/openapi/v3/${path}`], { maxBuffer: answerBytesMax });
  return JSON.parse(answer.toString()).components.schemas as Schema;
}

async function kubernetes(): Promise<Schema> {
  const kinds: Record<string, string> = {};
  let definitions: Schema = {};
  for (const [path, names] of Object.entries(core)) {
    const all = mapValues(published(path), (schema) => ({ ...moved(closed(schema)), known: schema }));
    const version = path.replace(/^apis?\//, '');
    for (const kind of names) kinds[`${version}/${kind}`] = definitionOf(all, version, kind);
    const bare = mapValues(all, ({ known: _, ...schema }) => schema);
    const used = names.map((kind) => kinds[`${version}/${kind}`] ?? '');
    definitions = { ...definitions, ...reachable(bare, used) };
  }
  for (const [module, file] of custom) {
    const { spec } = parse(await moduleFile(module, file));
    const version = spec.versions.find((each: { storage: boolean }) => each.storage);
    const name = `${spec.group}/${version.name}/${spec.names.kind}`;
    const schema = closed(version.schema.openAPIV3Schema);
    kinds[name] = name.replaceAll('/', '.');
    const properties = { ...(schema.properties as Schema), metadata: { $ref: `#/definitions/${objectMeta}` } };
    definitions[kinds[name]] = { ...schema, properties };
  }
  return { definitions, kinds };
}

function definitionOf(all: Schema, version: string, kind: string): string {
  const group = version.includes('/') ? version.split('/')[0] : '';
  const name = Object.keys(all).find((each) => {
    const { known } = all[each] as { known: { 'x-kubernetes-group-version-kind'?: Record<string, string>[] } };
    return known['x-kubernetes-group-version-kind']?.some((gvk) => gvk.kind === kind && gvk.group === group);
  });
  if (name === undefined) throw new Error(`the server knows no ${version}/${kind}`);
  return name;
}

const write = (name: string, text: string) => writeFileSync(join(here, name), gzipSync(text, { level: 9 }));
write('kubernetes-1.34.json.gz', JSON.stringify(await kubernetes()));
write('compose-spec.json.gz', await moduleFile(composeModule, 'schema/compose-spec.json'));
