// Who may reach whom in a release, and nothing else: the clusters that we have store NetworkPolicies without enforcing them.
import type { Manifest } from './manifest.ts';
import { type Endpoint, mayReach, type Way } from './network.ts';
import { podsOf, release, render } from './render.ts';

const services = ['identity', 'loyalty', 'templates', 'giftcards', 'webhooks'];
const components = ['gateway', ...services];

/** Everything outside the release that a pod could speak to, or that could speak to a pod. */
const surroundings: Record<string, Endpoint> = {
  dns: { ip: '10.96.1.1', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
  'false dns': { ip: '10.96.1.2', namespace: 'strangers', labels: { 'k8s-app': 'kube-dns' } },
  ingress: { ip: '10.96.1.3', namespace: 'ingress-nginx', labels: { app: 'controller' } },
  gateways: { ip: '10.96.1.4', namespace: 'gateways', labels: { app: 'envoy' } },
  prometheus: { ip: '10.96.1.5', namespace: 'monitoring', labels: { 'app.kubernetes.io/name': 'prometheus' } },
  'other monitoring': { ip: '10.96.1.6', namespace: 'monitoring', labels: { app: 'grafana' } },
  neighbour: { ip: '10.96.1.7', namespace: release.namespace, labels: { app: 'neighbour' } },
  'other release': {
    ip: '10.96.1.8',
    namespace: release.namespace,
    labels: {
      'app.kubernetes.io/name': 'tallycard',
      'app.kubernetes.io/instance': 'other',
      'app.kubernetes.io/component': 'gateway',
    },
  },
  stranger: { ip: '10.96.1.9', namespace: 'strangers', labels: { app: 'stranger' } },
  database: { ip: '10.20.0.5' },
  'cloud metadata': { ip: '169.254.169.254' },
  'private address': { ip: '192.168.1.1' },
  'private IPv6': { ip: 'fd00::1' },
  'private address by NAT64': { ip: '64:ff9b::c0a8:101' },
  'address for benchmarks': { ip: '198.18.0.1' },
  'address for protocols': { ip: '192.0.0.8' },
  'reserved address': { ip: '240.0.0.1' },
  world: { ip: '203.0.113.10' },
  'world by IPv6': { ip: '2001:db8::10' },
};

const ways: Way[] = [80, 443, 8080, 50051, 9090, 27017, 6379, 9092, 9093, 25, 587, 4317, 4318, 53]
  .map((port): Way => ({ port }))
  .concat({ port: 53, protocol: 'UDP' }, { port: 443, protocol: 'UDP' });

const wordOf = (from: string, to: string, { port, protocol }: Way) => `${from} → ${to} ${protocol ?? ''}${port}`;

function podsByComponent(manifests: readonly Manifest[]): Record<string, Endpoint> {
  return Object.fromEntries(
    podsOf(manifests).map(({ labels }, index) => [
      labels['app.kubernetes.io/component'],
      { ip: `10.97.0.${index + 1}`, namespace: release.namespace, labels },
    ]),
  );
}

/** Every connection that a release lets through with one of its own pods at an end. */
function allowed(manifests: readonly Manifest[]): string[] {
  const reach = mayReach(manifests, release.namespace);
  const own = podsByComponent(manifests);
  const all = { ...own, ...surroundings };
  return Object.entries(all).flatMap(([from, source]) =>
    Object.entries(all).flatMap(([to, target]) => {
      if (from === to || !(from in own || to in own)) return [];
      return ways.filter((way) => reach(source, target, way)).map((way) => wordOf(from, to, way));
    }),
  );
}

const each = (from: readonly string[], to: readonly string[], ...ports: (number | string)[]) =>
  from.flatMap((source) => to.flatMap((target) => ports.map((port) => `${source} → ${target} ${port}`)));

/** What is allowed in every release. */
const always = (pods: readonly string[]) => [
  ...each(pods, ['dns'], 53, 'UDP53'),
  ...each(['gateway'], services, 50051),
  ...each(['test'], ['gateway'], 8080),
  ...each(['test'], services, 9090),
  // Webhooks go to any port of a public address; templates fetch images.
  ...each(
    ['webhooks', 'templates'],
    ['world', 'world by IPv6'],
    80,
    443,
    8080,
    50051,
    9090,
    27017,
    6379,
    9092,
    9093,
    25,
    587,
    4317,
    4318,
    53,
  ),
];
const jobs = ['migrations', 'test'];
const unique = (words: readonly string[]) => [...new Set(words)].sort();

test.each([
  ['before the first installation', []],
  ['while the policies of the version before are there', ['networkPolicy.databases[0].ipBlock.cidr=10.99.0.0/24']],
])('migrations reach names and their databases, and nothing reaches them, %s', async (_when, before) => {
  const isHook = ({ metadata, kind }: Manifest) => 'helm.sh/hook' in (metadata.annotations ?? {}) && kind !== 'Pod';
  const hooks = (await render('external')).filter(isHook);
  const weights = hooks.map(({ kind, metadata }) => [kind, Number(metadata.annotations?.['helm.sh/hook-weight'])]);
  expect(weights).toEqual([
    ['NetworkPolicy', -10],
    ['Job', 0],
  ]);
  expect(hooks[0]?.metadata.annotations).toMatchObject({
    'helm.sh/hook': hooks[1]?.metadata.annotations?.['helm.sh/hook'],
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  });
  const old = before.length > 0 ? (await render('external', ...before)).filter((each) => !isHook(each)) : [];
  const words = allowed([...old, ...hooks]).filter((word) => /\bmigrations\b/.test(word));
  expect(unique(words)).toEqual(unique([...each(['migrations'], ['dns'], 53, 'UDP53'), 'migrations → database 27017']));
});

test('with everything outside: databases at their addresses, mail and traces anywhere on their ports', async () => {
  const manifests = await render('external', 'networkPolicy.gatewayFrom[0].namespaceSelector.matchLabels.team=edge');
  const expected = [
    ...always([...components, ...jobs]),
    ...each([...services, 'migrations'], ['database'], 27017),
    ...each(['gateway', 'identity', 'giftcards'], ['database'], 6379),
    ...each(['identity', 'giftcards', 'webhooks'], ['database'], 9092),
    ...each(['identity'], Object.keys(surroundings), 25, 587),
    ...each(components, Object.keys(surroundings), 4318),
  ];
  expect(unique(allowed(manifests))).toEqual(unique(expected));
});

test.each([
  ['http://collector:4317', 4317],
  ['http://collector.monitoring:443/v1', 443],
  ['https://collector', 443],
  ['http://collector', 80],
])('traces go to %s by its own port alone', async (endpoint, port) => {
  const manifests = await render('external', `otlpEndpoint=${endpoint}`);
  const words = allowed(manifests).filter((word) => word.startsWith('loyalty → stranger '));
  expect(words).toEqual([`loyalty → stranger ${port}`]);
});

test('mail servers and collectors can be named too', async () => {
  const at = (kind: string) => `networkPolicy.${kind}[0].ipBlock.cidr=10.20.0.0/24`;
  const own = 'networkPolicy.gatewayFrom[0].podSelector.matchLabels.team=edge';
  const manifests = await render('external', at('mailServers'), at('collectors'), own);
  const expected = [
    ...always([...components, ...jobs]),
    ...each([...services, 'migrations'], ['database'], 27017),
    ...each(['gateway', 'identity', 'giftcards'], ['database'], 6379),
    ...each(['identity', 'giftcards', 'webhooks'], ['database'], 9092),
    ...each(['identity'], ['database'], 25, 587),
    ...each(components, ['database'], 4318),
  ];
  expect(unique(allowed(manifests))).toEqual(unique(expected));
});

/** Where no peers are named for databases and mail. */
const anywhere = [
  ...each([...services, 'migrations'], Object.keys(surroundings), 27017),
  ...each(['gateway', 'identity', 'giftcards'], Object.keys(surroundings), 6379),
  ...each(['identity', 'giftcards', 'webhooks'], Object.keys(surroundings), 9092),
  ...each(['identity'], Object.keys(surroundings), 25, 587),
];

test.each([
  ['ingress', 'ingress'],
  ['gateway-api', 'gateways'],
])('with %s.yaml: of the outside, only what serves it reaches the gateway', async (values, controller) => {
  const expected = [...always([...components, ...jobs]), ...anywhere, ...each([controller], ['gateway'], 8080)];
  expect(unique(allowed(await render(values)))).toEqual(unique(expected));
});

const everyoneToGateway = [...each(Object.keys(surroundings), ['gateway'], 8080)];

test('with monitoring: Prometheus alone reads the metrics of the six components', async () => {
  const expected = [
    ...always([...components, ...jobs]),
    ...anywhere,
    ...everyoneToGateway,
    ...each(['prometheus'], components, 9090),
  ];
  expect(unique(allowed(await render('monitoring')))).toEqual(unique(expected));
  const unnamed = await render('monitoring', 'networkPolicy.metricsFrom=null');
  expect(unique(allowed(unnamed))).toEqual(unique(expected));
});

test('without monitoring nobody reads metrics', async () => {
  expect(allowed(await render('tuned')).filter((word) => /^(?!test).*→ (?!world|dns).* 9090$/.test(word))).toEqual([]);
});

test('in a trial: its own databases, each by those who need it; no mail goes out', async () => {
  const expected = [
    ...always([...components, ...jobs, 'mongodb', 'redis', 'kafka']),
    ...everyoneToGateway,
    ...each([...services, 'migrations'], ['mongodb'], 27017),
    ...each(['gateway', 'identity', 'giftcards'], ['redis'], 6379),
    ...each(['identity', 'giftcards', 'webhooks'], ['kafka'], 9092),
  ];
  expect(unique(allowed(await render('trial')))).toEqual(unique(expected));
});

test('a trial with a mail server, and a database outside, reaches both', async () => {
  const words = allowed(await render('trial', 'mail.existingSecret=mail', 'redis.existingSecret=redis'));
  expect(words).toEqual(
    expect.arrayContaining([
      'identity → world 587',
      'gateway → database 6379',
      'gateway → redis 6379',
      'loyalty → mongodb 27017',
    ]),
  );
  expect(words).not.toContain('loyalty → database 27017');
});

test('ranges of either family that are named may not be reached, and stand where the API server takes them', async () => {
  const except = (index: number, range: string) => `networkPolicy.outboundExcept[${index}]=${range}`;
  const manifests = await render('ingress', except(0, '203.0.113.0/24'), except(1, '2001:db8::/32'));
  const words = allowed(manifests).filter((word) => /^webhooks → .* 443$/.test(word));
  expect(words).not.toContain('webhooks → world 443');
  expect(words).not.toContain('webhooks → world by IPv6 443');
  // These stay closed even where the list leaves them out.
  expect(words).not.toContain('webhooks → private IPv6 443');
  const blocks = JSON.stringify(manifests.map(({ spec }) => spec)).matchAll(/"cidr":"([^"]+)","except":\[([^\]]*)\]/g);
  const families = [...blocks].map(([, cidr = '', list = '']) => [
    cidr.includes(':'),
    ...list.split(',').map((each) => each.includes(':')),
  ]);
  expect(families.length).toBeGreaterThan(3);
  for (const [own, ...others] of families) expect(new Set(others)).toEqual(new Set([own]));
});

test('networkPolicy.enabled=false leaves them out', async () => {
  const manifests = await render('ingress', 'networkPolicy.enabled=false');
  expect(manifests.filter(({ kind }) => kind === 'NetworkPolicy')).toEqual([]);
});
