import { createApiValidator } from './api-schema.ts';
import { valuesFiles } from './lint.ts';
import { podsOf, render } from './render.ts';

const validate = createApiValidator();

describe.each(Object.keys(valuesFiles))('with %s.yaml', (values) => {
  test('the API server takes every object', async () => {
    const manifests = await render(values);
    const faults = manifests.flatMap((each) =>
      validate(each).map((fault) => `${each.kind}/${each.metadata.name}${fault}`),
    );
    expect(faults).toEqual([]);
    expect(manifests.length).toBeGreaterThan(30);
  });

  test('no two objects are of one kind and name, and all say whose they are', async () => {
    const manifests = await render(values);
    const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata } of manifests) {
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'tallycard',
        'app.kubernetes.io/instance': 'shop',
        'app.kubernetes.io/managed-by': 'Helm',
      });
    }
  });

  test('every pod, of hooks and tests too, keeps to the restricted Pod Security Standard with a read-only file system', async () => {
    for (const { owner, spec } of podsOf(await render(values))) {
      expect({ owner, ...spec.securityContext }).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect([spec.hostNetwork, spec.hostPID, spec.hostIPC]).toEqual([undefined, undefined, undefined]);
      for (const volume of spec.volumes ?? []) {
        expect(['emptyDir', 'configMap', 'secret']).toContain(Object.keys(volume).find((key) => key !== 'name'));
      }
      for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
        expect({ owner, name: container.name, ...container.securityContext }).toEqual({
          owner,
          name: container.name,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          // The images of a trial's databases write beside their data.
          ...(owner.startsWith('StatefulSet/') ? {} : { readOnlyRootFilesystem: true }),
        });
      }
    }
  });

  test('no pod may speak to the API server, every container says what it needs', async () => {
    for (const { owner, spec } of podsOf(await render(values))) {
      expect({ owner, token: spec.automountServiceAccountToken }).toEqual({ owner, token: false });
      for (const { resources } of spec.containers) {
        expect({ owner, resources }).toEqual({
          owner,
          resources: {
            requests: { cpu: expect.anything(), memory: expect.anything() },
            limits: expect.objectContaining({ memory: expect.anything() }),
          },
        });
      }
    }
  });
});

test.each([
  ['an unknown field', { spec: { selector: {}, template: {}, replica: 3 } }, /\/spec .*"replica"/],
  ['a missing field', { spec: { template: {} } }, /\/spec .*"selector"/],
  ['a wrong type', { spec: { selector: {}, template: {}, replicas: '3' } }, /\/spec\/replicas must be integer/],
  [
    'an unknown word',
    { spec: { selector: {}, template: {}, strategy: { type: 'Rolling' } } },
    /\/strategy\/type .*Recreate/,
  ],
])('the check of objects finds %s', (_what, object, fault) => {
  expect(validate({ apiVersion: 'apps/v1', kind: 'Deployment', ...object }).join('\n')).toMatch(fault);
});

test.each([
  ['monitoring.coreos.com/v1', 'PrometheusRule', { spec: { groups: [{ name: 'a', rulez: [] }] } }],
  ['monitoring.coreos.com/v1', 'ServiceMonitor', { spec: { selector: {}, endpoints: [{ prot: 'http' }] } }],
  ['gateway.networking.k8s.io/v1', 'HTTPRoute', { spec: { rules: [{ matchs: [] }] } }],
  ['apps/v2', 'Deployment', {}],
])('the check of objects knows %s %s', (apiVersion, kind, object) => {
  expect(validate({ apiVersion, kind, ...object })).not.toEqual([]);
});
