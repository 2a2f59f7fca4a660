// Alerts, dashboard and scraping: nothing may be watched that nobody says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '#stack/paths.ts';
import { readTree } from '../tidy/source-tree.ts';
import { one, render } from './render.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const operations = join(repoRoot, 'docs', 'operations.md');

/** What prom-client and Kubernetes' own exporters are known to say besides. */
const ofOthers = /^(up|ALERTS|process_\w+|nodejs_\w+|kube_\w+|container_\w+)$/;

/** Metrics that the services register, with the names that a histogram's parts have. */
const exported = new Set(
  readTree(repoRoot)
    .filter(({ path }) => /^(services|gateway)\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/name: '(tallycard_\w+)'/g)].map(([, name = '']) => name))
    .flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]),
);

/** Words of a PromQL expression that are names of metrics. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"|'[^']*'/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-zA-Z_:][\w:]*\b(?!\s*\()/g)]
    .map(([word]) => word)
    .filter((word) => !/^(and|or|unless|bool|offset|inf|nan|[smhdwy]|ms|e\d*)$/i.test(word));
}

/** Labels that the services give, and that Prometheus and Kubernetes' exporters add. */
const labels = new Set(
  readTree(repoRoot)
    .filter(({ path }) => /^(services|gateway)\/.*\.ts$/.test(path))
    .flatMap(({ text }) =>
      [...text.matchAll(/labelNames: \[([^\]]*)\]/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []),
    )
    .concat('le', 'service', 'namespace', 'pod', 'container', 'job', 'instance', 'deployment', 'resource'),
);

/** Labels that an expression matches or groups by. */
function labelsOf(expression: string): string[] {
  const grouped = [...expression.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].map(([, list = '']) => list);
  const matched = [...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*["']/g)].map(([, label = '']) => label);
  return [...grouped.flatMap((list) => list.match(/\w+/g) ?? []), ...matched];
}

/** What the services write into a label; a label that is not here may have any value. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  code: valuesIn(/^services\//, [/\bfinish\('(\w+)'/g, /\bcode: '([a-z_]+)'/g, /AppError\('\w+', '(\w+)'/g]),
  outcome: valuesIn(/^services\//, [/\bkind: '(\w+)'/g, /\b(?:count|tried)\('(\w+)'/g, /\boutcome: '(\w+)'/g]),
  status: ['200', '204', '400', '404', '409', '429', '500', '503'],
};

function valuesIn(dir: RegExp, patterns: readonly RegExp[]): string[] {
  const texts = readTree(repoRoot).filter(({ path }) => dir.test(path) && /(?<!\.test)\.ts$/.test(path));
  return texts.flatMap(({ text }) =>
    patterns.flatMap((each) => [...text.matchAll(each)].map(([, value = '']) => value)),
  );
}

/** Values, or alternatives of them, that an expression asks for and that no service writes. */
function unwrittenIn(expression: string): string[] {
  const asked = [...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*(?:"([^"]*)"|'([^']*)')/g)];
  return asked.flatMap(([, label = '', double, single]) => {
    const written = valuesOf[label];
    const patterns = (double ?? single ?? '').split('|').map((each) => new RegExp(`^${each}$`));
    return written === undefined
      ? []
      : patterns.filter((each) => !written.some((value) => each.test(value))).map(String);
  });
}

const unknownIn = (expression: string) => [
  ...metricsOf(expression).filter((name) => !exported.has(name) && !ofOthers.test(name)),
  ...labelsOf(expression).filter((label) => !labels.has(label)),
  ...unwrittenIn(expression),
];

async function rules(...sets: string[]): Promise<readonly Rule[]> {
  const { spec } = one(await render('monitoring', ...sets), 'PrometheusRule');
  const groups = spec?.groups as readonly { readonly rules: readonly Rule[] }[];
  return groups.flatMap((group) => group.rules);
}

test('names of metrics are found in an expression', () => {
  const expression =
    'sum by (service) (rate(tallycard_rpc_total{code!="ok"}[5m])) / on (pod) sum(up) > 0.05 and time() - a_b > 1e3';
  expect(metricsOf(expression)).toEqual(['tallycard_rpc_total', 'up', 'a_b']);
  expect(unknownIn('rate(tallycard_rpc_seconds_bucket[5m])')).toEqual([]);
  expect(unknownIn('tallycard_rpc_second')).toEqual(['tallycard_rpc_second']);
  expect(unknownIn('sum by (rpc, colour) (tallycard_rpc_total{shape!="OK", code="ok"})')).toEqual(['colour', 'shape']);
  expect(unknownIn('tallycard_rpc_total{code!="OK"}')).toEqual(['/^OK$/']);
  expect(unknownIn("tallycard_rpc_total{code=~'unsigned|internal|lost'}")).toEqual(['/^lost$/']);
  expect(unknownIn("tallycard_webhook_deliveries_total{outcome=~'retry|delivered|gone', status=~'6..'}")).toEqual([
    '/^gone$/',
    '/^6..$/',
  ]);
});

test('every alert watches metrics that the services export', async () => {
  const unknown = (await rules()).flatMap(({ alert, expr }) => unknownIn(expr).map((name) => `${alert}: ${name}`));
  expect(unknown).toEqual([]);
});

test('a partition that several pods tell of counts once', async () => {
  const { data } = one(await render('monitoring'), 'ConfigMap', '-dashboard');
  const drawn = expressionsIn(JSON.parse(data?.['tallycard.json'] ?? '')).map((expr) => ({ alert: 'dashboard', expr }));
  const ofConsumers = [...(await rules()), ...drawn].filter(({ expr }) => expr.includes('tallycard_consumer_'));
  expect(ofConsumers.length).toBeGreaterThan(2);
  for (const { alert, expr } of ofConsumers) {
    const each = /(?:max|min) by \(group, partition\) \((?:\w+_over_time\()?tallycard_consumer_\w+\{/g;
    expect([alert, expr.match(each)?.length]).toEqual([alert, expr.split('tallycard_consumer_').length - 1]);
  }
});

test('an alert tells that nothing of a component is there to be read, for each that is meant to be', async () => {
  const expression = async (...sets: string[]) => {
    const found = (await rules(...sets)).find(({ alert }) => alert === 'TallycardComponentDown');
    return found?.expr ?? '';
  };
  const absentOf = (component: string) =>
    `label_replace(absent(up{ namespace='shop', service='shop-tallycard-${component}${component === 'gateway' ? '-metrics' : ''}' } == 1), 'component', '${component}', '', '')`;
  const components = ['gateway', 'giftcards', 'identity', 'loyalty', 'templates', 'webhooks'];
  for (const component of components) expect(await expression()).toContain(absentOf(component));
  const without = await expression('components.loyalty.replicas=0');
  expect(components.filter((component) => !without.includes(absentOf(component)))).toEqual(['loyalty']);
});

test('every alert has a name of its own, a duration, a severity, a summary and its runbook', async () => {
  const all = await rules();
  expect(all.length).toBeGreaterThan(10);
  expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length);
  for (const rule of all) {
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^[A-Z][A-Za-z0-9]+$/),
      for: expect.stringMatching(/^\d+[smh]$/),
      labels: { severity: expect.stringMatching(/^(critical|warning|info)$/) },
      annotations: {
        summary: expect.stringMatching(/\S{3}/),
        runbook_url: `https://wiki.example.com/tallycard#${rule.alert.toLowerCase()}`,
      },
    });
  }
});

test('every alert has its runbook in docs/operations.md', async () => {
  const text = readFileSync(operations, 'utf8');
  const headings = [...text.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) => heading.toLowerCase());
  const missing = (await rules()).filter(({ alert }) => !headings.includes(alert.toLowerCase()));
  expect(missing.map(({ alert }) => alert)).toEqual([]);
});

/** Every `expr` and `query` of a dashboard, wherever it stands. */
function expressionsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'string' && name === 'expr' ? [value] : expressionsIn(value),
  );
}

test('the dashboard is JSON, is found by the sidecar, and shows metrics that the services export', async () => {
  const configMap = one(await render('monitoring'), 'ConfigMap', '-dashboard');
  expect(configMap.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
  const dashboard = JSON.parse(configMap.data?.['tallycard.json'] ?? '');
  expect(expressionsIn(dashboard).flatMap(unknownIn)).toEqual([]);
  expect(expressionsIn(dashboard).length).toBeGreaterThan(15);
});

test('Prometheus finds the six components’ metrics by the labels and the port of their Services', async () => {
  const manifests = await render('monitoring');
  const { spec } = one(manifests, 'ServiceMonitor');
  expect(spec).toMatchObject({
    selector: { matchLabels: { 'app.kubernetes.io/name': 'tallycard', 'app.kubernetes.io/instance': 'shop' } },
    endpoints: [{ port: 'health', path: '/metrics', interval: '15s' }],
  });
  const services = manifests.filter(({ kind, metadata }) => kind === 'Service' && !metadata.name.endsWith('-gateway'));
  expect(new Set(services.map(({ metadata }) => metadata.labels['app.kubernetes.io/component'])).size).toBe(6);
  expect(services).toHaveLength(6);
  for (const service of services) {
    expect(service.metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'tallycard' });
    expect(service.spec?.ports).toContainEqual(expect.objectContaining({ name: 'health', port: 9090 }));
  }
});
