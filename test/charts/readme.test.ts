// What the chart's README tells people to do works.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chartDir, helm } from './helm.ts';
import { valuesFiles } from './lint.ts';
import { readmeFile } from './readme.ts';
import { ofKind, podsOf, render } from './render.ts';

const readme = readFileSync(readmeFile, 'utf8');
const yamlBlocks = [...readme.matchAll(/```yaml\n([^`]*)```/g)].map(([, text = '']) => text);
const rows = [...readme.matchAll(/^\| ([\w.]+) \| \w+ \| `(.*?)` \| (.+) \|$/gm)];

/** Each value of values.yaml with its default, as far down as the README tells them apart. */
function leaves(value: unknown, path: string): [string, unknown][] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap || rows.some(([, name]) => name === path)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, path ? `${path}.${name}` : name));
}

test('every value is in its table, with its default and what it does', () => {
  const values = leaves(parse(readFileSync(join(chartDir, 'values.yaml'), 'utf8')), '');
  const told = Object.fromEntries(rows.map(([, name = '', text = '']) => [name, JSON.parse(text)]));
  expect(told).toEqual(Object.fromEntries(values));
  for (const [, , , description = ''] of rows) expect(description.trim()).toMatch(/\.$/);
});

test('its values file and its route are taken', async () => {
  const [values = '', route = ''] = yamlBlocks;
  expect(route).toContain('httpRoute:');
  const dir = mkdtempSync(join(tmpdir(), 'tallycard-readme-'));
  try {
    const [first, second] = [join(dir, 'values.yaml'), join(dir, 'route.yaml')];
    writeFileSync(first, values);
    writeFileSync(second, route);
    const command = ['template', 'tallycard', chartDir, '--kube-version', '1.34.0', '--values', first];
    expect(await helm(command)).toContain('kind: Ingress\n');
    expect(await helm([...command, '--values', second, '--set', 'ingress.enabled=false'])).toContain(
      'kind: HTTPRoute\n',
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('it names the keys of every secret that a pod asks for', async () => {
  for (const values of ['external', 'ingress']) {
    const env = podsOf(await render(values)).flatMap(({ spec }) => spec.containers.flatMap((each) => each.env ?? []));
    const keys = env.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef.key] : []));
    for (const key of new Set(keys)) expect(readme).toContain(`\`${key}\``);
  }
});

describe('what helm says after an installation', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tallycard-notes-'));

  /** Helm shows notes of what it has installed only: so they become an object here. */
  beforeAll(() => {
    cpSync(chartDir, dir, { recursive: true });
    cpSync(join(dir, 'templates', 'NOTES.txt'), join(dir, 'NOTES.txt'));
    const object = 'kind: Notes\ntext: |\n  {{- tpl (.Files.Get "NOTES.txt") . | nindent 2 }}\n';
    writeFileSync(join(dir, 'templates', 'notes.yaml'), object);
  });

  afterAll(() => rmSync(dir, { recursive: true }));

  const notes = (values: string, ...sets: string[]) =>
    helm([
      ...['template', 'shop', dir, '--kube-version', '1.34.0', '--show-only', 'templates/notes.yaml'],
      ...['--values', String(valuesFiles[values]), ...sets.flatMap((set) => ['--set', set])],
    ]);

  test('tells where the API is, and to keep the keys', async () => {
    expect(await notes('ingress')).toContain('https://cards.example.com/docs');
    expect(await notes('ingress')).toContain('Back them up');
    expect(await notes('external')).not.toContain('Back them up');
  });

  test('warns of a trial, and of a gateway that everyone reaches past its Ingress', async () => {
    expect(await notes('trial')).toContain('NOT for production');
    expect(await notes('ingress', 'networkPolicy.gatewayFrom=null')).toContain('networkPolicy.gatewayFrom[0]');
    expect(await notes('ingress')).not.toContain('past its Ingress');
  });
});

test('the chart’s version and the product’s are one', async () => {
  const chart = parse(readFileSync(join(chartDir, 'Chart.yaml'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(chartDir, '..', '..', 'package.json'), 'utf8'));
  expect(chart).toMatchObject({ version, appVersion: version });
  expect(ofKind(await render('ingress'), 'Deployment').length).toBe(6);
});
