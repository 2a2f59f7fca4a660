import type { Manifest, PolicySpec } from './manifest.ts';
import { type Endpoint, mayReach } from './network.ts';

const pod = (app: string, ip: string, namespace = 'shop'): Endpoint => ({ ip, namespace, labels: { app } });
const [a, b, c] = [pod('a', '10.0.0.1'), pod('b', '10.0.0.2'), pod('c', '10.0.0.3', 'other')];
const outside: Endpoint = { ip: '203.0.113.7' };
const ofApp = (app: string) => ({ matchLabels: { app } });

function policies(...specs: PolicySpec[]): (from: Endpoint, to: Endpoint, port?: number, protocol?: 'UDP') => boolean {
  const manifests = specs.map(
    (spec): Manifest => ({
      apiVersion: '',
      kind: 'NetworkPolicy',
      metadata: { name: '', labels: {} },
      spec: { ...spec },
    }),
  );
  const reach = mayReach(manifests, 'shop');
  return (from, to, port = 80, protocol) => reach(from, to, { port, ...(protocol && { protocol }) });
}

test('without a policy everything is reached', () => {
  expect(policies()(a, b)).toBe(true);
  expect(policies()(outside, a)).toBe(true);
});

test('a policy that selects a pod denies what it does not allow, in its direction and its namespace', () => {
  const reach = policies({ podSelector: ofApp('a'), policyTypes: ['Ingress'] });
  expect(reach(b, a)).toBe(false);
  expect(reach(outside, a)).toBe(false);
  expect(reach(a, b)).toBe(true);
  expect(reach(b, { ...a, namespace: 'other' })).toBe(true);
});

test('both ends have to allow it, and allowances of several policies add up', () => {
  const deny: PolicySpec = { podSelector: {}, policyTypes: ['Ingress', 'Egress'] };
  const send: PolicySpec = {
    podSelector: ofApp('a'),
    policyTypes: ['Egress'],
    egress: [{ to: [{ podSelector: ofApp('b') }] }],
  };
  const take: PolicySpec = { podSelector: ofApp('b'), ingress: [{ from: [{ podSelector: ofApp('a') }] }] };
  expect(policies(deny, send)(a, b)).toBe(false);
  expect(policies(deny, take)(a, b)).toBe(false);
  expect(policies(deny, send, take)(a, b)).toBe(true);
  expect(policies(deny, send, take)(b, a)).toBe(false);
});

test('a pod selector alone means the policy’s own namespace, with a namespace selector those, together both', () => {
  const from = (peer: object) => policies({ podSelector: ofApp('a'), ingress: [{ from: [peer] }] });
  expect(from({ podSelector: {} })(c, a)).toBe(false);
  expect(from({ podSelector: {} })(b, a)).toBe(true);
  const other = { matchLabels: { 'kubernetes.io/metadata.name': 'other' } };
  expect(from({ namespaceSelector: other })(c, a)).toBe(true);
  expect(from({ namespaceSelector: other })(b, a)).toBe(false);
  expect(from({ namespaceSelector: {}, podSelector: ofApp('b') })(c, a)).toBe(false);
  expect(from({ namespaceSelector: {} })(outside, a)).toBe(false);
});

test('a rule without peers or without ports means all of them; a peer list that is empty does too', () => {
  const reach = policies({ podSelector: ofApp('a'), ingress: [{ from: [], ports: [{ port: 80 }] }] });
  expect(reach(outside, a)).toBe(true);
  expect(reach(outside, a, 81)).toBe(false);
  expect(policies({ podSelector: ofApp('a'), ingress: [{}] })(outside, a, 81, 'UDP')).toBe(true);
});

test('ports count by protocol, range and name', () => {
  const withPort = (port: object) => policies({ podSelector: ofApp('a'), ingress: [{ ports: [port] }] });
  expect(withPort({ port: 53 })(b, a, 53, 'UDP')).toBe(false);
  expect(withPort({ protocol: 'UDP', port: 53 })(b, a, 53, 'UDP')).toBe(true);
  expect(withPort({ port: 80, endPort: 90 })(b, a, 90)).toBe(true);
  expect(withPort({ port: 80, endPort: 90 })(b, a, 91)).toBe(false);
  expect(withPort({ port: 'http' })(b, { ...a, ports: { http: 8080 } }, 8080)).toBe(true);
  expect(withPort({ port: 'http' })(b, a, 8080)).toBe(false);
});

test('an address block leaves out its exceptions, and the other kind of addresses', () => {
  const ipBlock = { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] };
  const reach = policies({ podSelector: ofApp('a'), policyTypes: ['Egress'], egress: [{ to: [{ ipBlock }] }] });
  expect(reach(a, outside)).toBe(true);
  expect(reach(a, b)).toBe(false);
  expect(reach(a, { ip: '2001:db8::1' })).toBe(false);
});

test('expressions select', () => {
  const selecting = (operator: string, values?: string[]) =>
    policies({ podSelector: { matchExpressions: [{ key: 'app', operator, ...(values && { values }) }] } })(b, a);
  expect([selecting('In', ['a']), selecting('In', ['b'])]).toEqual([false, true]);
  expect([selecting('NotIn', ['a']), selecting('NotIn', ['b'])]).toEqual([true, false]);
  expect([selecting('Exists'), selecting('DoesNotExist')]).toEqual([false, true]);
});
