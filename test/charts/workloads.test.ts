import { repoRoot } from '#stack/paths.ts';
import { readTree } from '../tidy/source-tree.ts';
import { envNames } from './known-env.ts';
import type { Manifest, PodSpec } from './manifest.ts';
import { fullname, ofKind, one, podsOf, render, templateInCluster } from './render.ts';

const services = ['identity', 'loyalty', 'templates', 'giftcards', 'webhooks'];
const components = ['gateway', ...services];
const podSpec = (manifests: readonly Manifest[], component: string): PodSpec => {
  const spec = one(manifests, 'Deployment', `-${component}`).spec?.template?.spec;
  if (spec === undefined) throw new Error(`${component} has no pods`);
  return spec;
};
const names = (manifests: readonly Manifest[], kind: string) =>
  ofKind(manifests, kind).map(({ metadata }) => metadata.name);
const selectorOf = (component: string) => ({
  'app.kubernetes.io/name': 'tallycard',
  'app.kubernetes.io/instance': 'shop',
  'app.kubernetes.io/component': component,
});

/** As which groups the services consume events. */
const groups = readTree(repoRoot)
  .filter(({ path }) => /^services\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
  .flatMap(({ text }) => [...text.matchAll(/\bgroup(?: =|:) '([\w-]+)'/g)].map(([, group]) => group));

describe('as the chart has it', () => {
  test('each component has a Deployment, a Service, an account and a disruption budget; none an autoscaler', async () => {
    const manifests = await render('ingress');
    const expected = components.map((component) => `${fullname}-${component}`).sort();
    for (const kind of ['Deployment', 'ServiceAccount', 'PodDisruptionBudget']) {
      expect(names(manifests, kind).sort()).toEqual(expected);
    }
    expect(names(manifests, 'Service').sort()).toEqual([...expected, `${fullname}-gateway-metrics`].sort());
    expect(names(manifests, 'HorizontalPodAutoscaler')).toEqual([]);
  });

  test.each(components)(
    '%s: two pods, rolled without losing one, spread over nodes and zones, kept by the budget',
    async (component) => {
      const manifests = await render('ingress');
      const { spec } = one(manifests, 'Deployment', `-${component}`);
      expect(spec).toMatchObject({
        replicas: 2,
        revisionHistoryLimit: 5,
        strategy: { rollingUpdate: { maxUnavailable: 0 } },
        selector: { matchLabels: selectorOf(component) },
      });
      expect(spec?.template?.metadata.labels).toMatchObject(selectorOf(component));
      expect(podSpec(manifests, component).topologySpreadConstraints).toEqual([
        expect.objectContaining({
          topologyKey: 'kubernetes.io/hostname',
          labelSelector: { matchLabels: selectorOf(component) },
        }),
        expect.objectContaining({
          topologyKey: 'topology.kubernetes.io/zone',
          labelSelector: { matchLabels: selectorOf(component) },
        }),
      ]);
      expect(one(manifests, 'PodDisruptionBudget', `-${component}`).spec).toMatchObject({
        maxUnavailable: 1,
        selector: { matchLabels: selectorOf(component) },
      });
      expect(podSpec(manifests, component).serviceAccountName).toBe(`${fullname}-${component}`);
    },
  );

  test.each(components)('%s: probes and Services use ports that the container has', async (component) => {
    const manifests = await render('ingress');
    const [container] = podSpec(manifests, component).containers;
    const ports = (container?.ports ?? []).map(({ name }) => name);
    expect(ports).toEqual([component === 'gateway' ? 'http' : 'grpc', 'health']);
    const probe = (path: string) => expect.objectContaining({ httpGet: { path, port: 'health' } });
    expect(container).toMatchObject({
      startupProbe: probe('/readyz'),
      readinessProbe: probe('/readyz'),
      livenessProbe: probe('/healthz'),
    });
    const service = one(manifests, 'Service', `-${component}`).spec;
    const served = component === 'gateway' ? ['http'] : ports;
    expect(service?.ports).toEqual(served.map((targetPort) => expect.objectContaining({ targetPort })));
    expect(service?.selector).toEqual(selectorOf(component));
    // Headless, so that the gateway itself spreads its calls over the pods.
    expect(service?.clusterIP).toBe(component === 'gateway' ? undefined : 'None');
  });

  test('a pod is given longer to end than its drain and its last requests take', async () => {
    for (const component of components) {
      expect(podSpec(await render('ingress'), component).terminationGracePeriodSeconds).toBeGreaterThan(30);
    }
  });

  test.each(components)('%s is told nothing that it does not know', async (component) => {
    const known = await envNames(component);
    for (const values of ['external', 'ingress', 'trial']) {
      const [container] = podSpec(await render(values), component).containers;
      const told = (container?.env ?? []).map(({ name }) => name);
      expect(told.filter((name) => !known.has(name))).toEqual([]);
      expect(new Set(told).size).toBe(told.length);
    }
  });
});

test('the gateway’s metrics are on no load balancer, and its clients keep their addresses', async () => {
  const [inside, outside] = [await render('ingress'), await render('tuned')];
  expect(one(outside, 'Service', '-gateway').spec).toMatchObject({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    ports: [{ name: 'http', port: 8080 }],
  });
  expect(one(outside, 'Service', '-gateway-metrics').spec).toMatchObject({
    clusterIP: 'None',
    ports: [{ name: 'health', port: 9090, targetPort: 'health' }],
    selector: selectorOf('gateway'),
  });
  expect(one(inside, 'Service', '-gateway').spec?.externalTrafficPolicy).toBeUndefined();
  const cluster = await render('tuned', 'components.gateway.service.externalTrafficPolicy=Cluster');
  expect(one(cluster, 'Service', '-gateway').spec?.externalTrafficPolicy).toBe('Cluster');
});

describe('the migrations', () => {
  test('run for each service, on its own database, before a new version comes in', async () => {
    const job = one(await render('ingress'), 'Job');
    expect(job.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    });
    const containers = job.spec?.template?.spec.containers ?? [];
    expect(containers.map(({ name, args }) => [name, args?.[0]])).toEqual(
      services.map((name) => [name, `services/${name}/src/migrate-main.ts`]),
    );
    for (const { name, env } of containers) {
      expect(env).toContainEqual({ name: 'MONGODB_DATABASE', value: `tallycard_${name}` });
    }
  });

  test('wait for the databases of a trial, and can be left out', async () => {
    expect(one(await render('trial'), 'Job').metadata.annotations?.['helm.sh/hook']).toBe('post-install,pre-upgrade');
    expect(ofKind(await render('ingress', 'migrations.enabled=false'), 'Job')).toEqual([]);
  });
});

describe('tuned', () => {
  test('an autoscaler decides alone how many pods there are', async () => {
    const manifests = await render('tuned');
    const scaled = ['gateway', 'identity', 'giftcards', 'webhooks'];
    expect(names(manifests, 'HorizontalPodAutoscaler').sort()).toEqual(scaled.map((name) => `cards-${name}`).sort());
    for (const component of components) {
      const { spec } = one(manifests, 'Deployment', `-${component}`);
      const expected = scaled.includes(component) ? undefined : component === 'loyalty' ? 1 : 3;
      expect([component, spec?.replicas]).toEqual([component, expected]);
    }
    expect(one(manifests, 'HorizontalPodAutoscaler', '-gateway').spec).toMatchObject({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cards-gateway' },
      minReplicas: 3,
      maxReplicas: 20,
      // Of a core, because a pod at rest takes much of a small request.
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '600m' } } },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
    });
  });

  test('an autoscaler follows the lag of the consumer group where a target is given, and never the outbox', async () => {
    const cpu = expect.objectContaining({ type: 'Resource' });
    const own = expect.objectContaining({ external: expect.objectContaining({ metric: { name: 'orders_waiting' } }) });
    const lag = (group: string, averageValue: string) => ({
      type: 'External',
      external: {
        metric: { name: 'tallycard_consumer_lag_events', selector: { matchLabels: { group } } },
        target: { type: 'AverageValue', averageValue },
      },
    });
    const metricsOf = (manifests: readonly Manifest[]) =>
      Object.fromEntries(
        ofKind(manifests, 'HorizontalPodAutoscaler').map(({ metadata, spec }) => [metadata.name, spec?.metrics]),
      );
    expect(metricsOf(await render('tuned'))).toEqual({
      'cards-gateway': [cpu],
      'cards-identity': [cpu],
      'cards-giftcards': [cpu, own],
      'cards-webhooks': [cpu, lag('webhooks', '1000')],
    });
    const loyalty = 'components.loyalty.autoscaling.enabled=true';
    expect(metricsOf(await render('tuned', 'defaults.autoscaling.targetLag=7', loyalty))).toEqual({
      'cards-gateway': [cpu],
      'cards-identity': [cpu, lag('identity-audit', '7')],
      'cards-loyalty': [cpu],
      'cards-giftcards': [cpu, own],
      'cards-webhooks': [cpu, lag('webhooks', '1000')],
    });
    for (const group of ['identity-audit', 'webhooks']) expect(groups).toContain(group);
  });

  test('turning autoscaling on leaves as many pods as there are, of those that run', async () => {
    const [enabled, min] = [
      'components.giftcards.autoscaling.enabled=true',
      'components.giftcards.autoscaling.minReplicas=4',
    ];
    const live = (replicas: number): Manifest => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `${fullname}-giftcards`, labels: {} },
      spec: { replicas },
    });
    const replicasOf = async (inCluster: Manifest[], ...sets: string[]) =>
      one(await templateInCluster(inCluster, sets, []), 'Deployment', '-giftcards').spec?.replicas;
    expect(await replicasOf([live(10)], enabled, min)).toBe(10);
    // The autoscaler does not wake what stands at none.
    expect(await replicasOf([live(0)], enabled, min)).toBe(4);
    expect(await replicasOf([], enabled, min)).toBeUndefined();
    expect(await replicasOf([live(10)])).toBe(2);
  });

  test('what a component says goes before what all have, false, zero and empty too', async () => {
    const manifests = await render('tuned');
    expect(names(manifests, 'PodDisruptionBudget')).not.toContain('cards-loyalty');
    expect(podSpec(manifests, 'loyalty').topologySpreadConstraints).toBeUndefined();
    expect(one(manifests, 'Deployment', '-loyalty').spec?.strategy).toEqual({ type: 'Recreate' });
    expect(podSpec(manifests, 'templates').topologySpreadConstraints).toEqual([
      expect.objectContaining({ labelSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'tallycard' } } }),
    ]);
    expect(one(manifests, 'PodDisruptionBudget', '-webhooks').spec?.maxUnavailable).toBe('50%');
    const none = await render('tuned', 'components.templates.replicas=0');
    expect(one(none, 'Deployment', '-templates').spec?.replicas).toBe(0);
  });

  test('a service account of one’s own is used, and none made', async () => {
    const manifests = await render('tuned');
    expect(podSpec(manifests, 'identity').serviceAccountName).toBe('identity-of-ours');
    expect(names(manifests, 'ServiceAccount')).not.toContain('cards-identity');
    expect(one(manifests, 'ServiceAccount', '-gateway').metadata.annotations).toEqual({ 'example.com/role': 'cards' });
  });

  test.each(components)('%s takes placement, labels, annotations, variables and volumes', async (component) => {
    const manifests = await render('tuned');
    const deployment = one(manifests, 'Deployment', `-${component}`);
    expect(deployment.metadata.annotations).toEqual({ 'example.com/team': 'cards' });
    expect(deployment.spec?.revisionHistoryLimit).toBe(3);
    expect(deployment.spec?.template?.metadata).toMatchObject({
      annotations: { 'example.com/scrape': 'true' },
      labels: { 'example.com/cost': 'cards' },
    });
    expect(podSpec(manifests, component)).toMatchObject({
      priorityClassName: 'cards',
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'cards' }],
      affinity: { podAntiAffinity: expect.anything() },
      terminationGracePeriodSeconds: 60,
      volumes: [{ name: 'tmp' }, { name: 'ca', configMap: { name: 'our-authority' } }],
      containers: [
        {
          imagePullPolicy: 'Always',
          env: expect.arrayContaining([{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.crt' }]),
          volumeMounts: [{ name: 'tmp' }, { name: 'ca' }],
          resources: { limits: { cpu: '2', memory: '1Gi' } },
        },
      ],
    });
  });

  test('jobs and tests run where the components do, and pull as they do', async () => {
    for (const { owner, spec } of podsOf(await render('tuned'))) {
      expect({ owner, ...spec }).toMatchObject({ owner, priorityClassName: 'cards', tolerations: [{ key: 'cards' }] });
    }
    for (const { owner, spec } of podsOf(await render('external'))) {
      expect({ owner, pull: spec.imagePullSecrets }).toEqual({ owner, pull: [{ name: 'registry' }] });
      for (const { image } of spec.containers) {
        expect(image).toMatch(/^registry\.example\.com\/shop\/tallycard-[a-z]+:1\.2\.3$/);
      }
    }
  });
});

test('the Ingress has its class, host, certificate and body size', async () => {
  expect(one(await render('ingress'), 'Ingress')).toMatchObject({
    metadata: {
      annotations: {
        'nginx.ingress.kubernetes.io/proxy-body-size': '20m',
        'cert-manager.io/cluster-issuer': 'letsencrypt',
      },
    },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['cards.example.com'], secretName: 'cards-tls' }],
      rules: [{ host: 'cards.example.com', http: { paths: [{ backend: { service: { port: { name: 'http' } } } }] } }],
    },
  });
});

test('the route has its gateways, and leads to the gateway’s port', async () => {
  expect(one(await render('gateway-api'), 'HTTPRoute').spec).toMatchObject({
    parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
    hostnames: ['cards.example.com'],
    rules: [{ backendRefs: [{ name: `${fullname}-gateway`, port: 80 }] }],
  });
});

test.each([
  ['ingress', [], 'https://cards.example.com', '1'],
  ['ingress', ['ingress.tls.secretName='], 'http://cards.example.com', '1'],
  ['gateway-api', [], 'https://cards.example.com', '1'],
  ['external', [], 'https://cards.example.com', '10.0.0.0/8'],
  ['trial', [], 'http://shop-tallycard-gateway.shop.svc', ''],
])('with %s.yaml %p the public URL and the trusted proxies are right', async (values, sets, url, proxies) => {
  const [container] = podSpec(await render(values, ...sets), 'gateway').containers;
  expect(container?.env).toEqual(
    expect.arrayContaining([
      { name: 'PUBLIC_URL', value: url },
      { name: 'TRUST_PROXY', value: proxies },
    ]),
  );
});
