// What NetworkPolicies let through (networking.k8s.io/v1), as far as they say it themselves: a plug-in may also let the
// node's own traffic in, for probes.
import ipaddr from 'ipaddr.js';
import type { LabelSelector, Manifest, Peer, PolicyPort, PolicySpec, Texts } from './manifest.ts';

/** A pod, or without labels an address outside the cluster. */
export interface Endpoint {
  readonly ip: string;
  readonly namespace?: string;
  readonly labels?: Texts;
  /** Numbers of the pod's named ports. */
  readonly ports?: Readonly<Record<string, number>>;
}

export interface Way {
  readonly protocol?: 'TCP' | 'UDP';
  readonly port: number;
}

/** The label that every namespace has by itself. */
const nameLabel = 'kubernetes.io/metadata.name';

function selects(selector: LabelSelector, labels: Texts): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  const fits = (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = labels[key];
    if (operator === 'In') return value !== undefined && values.includes(value);
    if (operator === 'NotIn') return value === undefined || !values.includes(value);
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    throw new Error(`there is no operator ${operator}`);
  });
  return equal && fits;
}

const seen = new Map<string, boolean>();

function isIn(ip: string, cidr: string): boolean {
  const known = seen.get(`${ip} ${cidr}`);
  if (known !== undefined) return known;
  const [address, range] = [ipaddr.parse(ip), ipaddr.parseCIDR(cidr)];
  const found = address.kind() === range[0].kind() && address.match(range);
  seen.set(`${ip} ${cidr}`, found);
  return found;
}

function isPeer(peer: Peer, policyNamespace: string, { ip, namespace, labels }: Endpoint): boolean {
  if (peer.ipBlock) {
    const { cidr, except = [] } = peer.ipBlock;
    return isIn(ip, cidr) && !except.some((range) => isIn(ip, range));
  }
  if (namespace === undefined || labels === undefined) return false;
  const rightNamespace = peer.namespaceSelector
    ? selects(peer.namespaceSelector, { [nameLabel]: namespace })
    : namespace === policyNamespace;
  return rightNamespace && selects(peer.podSelector ?? {}, labels);
}

function isPort(rule: PolicyPort, to: Endpoint, { protocol = 'TCP', port }: Way): boolean {
  if ((rule.protocol ?? 'TCP') !== protocol) return false;
  if (rule.port === undefined) return true;
  const first = typeof rule.port === 'string' ? to.ports?.[rule.port] : rule.port;
  return first !== undefined && port >= first && port <= (rule.endPort ?? first);
}

interface Policy extends PolicySpec {
  readonly namespace: string;
}

type Direction = 'Ingress' | 'Egress';

/** The policies that speak of a pod in one direction. */
function rulingOf(policies: readonly Policy[], direction: Direction, { namespace, labels = {} }: Endpoint): Policy[] {
  return policies.filter((policy) => {
    const types = policy.policyTypes ?? (policy.egress === undefined ? ['Ingress'] : ['Ingress', 'Egress']);
    return policy.namespace === namespace && types.includes(direction) && selects(policy.podSelector, labels);
  });
}

function allows(ruling: readonly Policy[], direction: Direction, from: Endpoint, to: Endpoint, way: Way): boolean {
  const other = direction === 'Ingress' ? from : to;
  // Where no policy speaks of a pod, everything is allowed; else whatever one of them allows.
  if (ruling.length === 0) return true;
  return ruling.some(({ namespace, ingress = [], egress = [] }) => {
    const rules = direction === 'Ingress' ? ingress : egress.map(({ to: peers, ports }) => ({ from: peers, ports }));
    return rules.some(({ from: peers = [], ports = [] }) => {
      if (ports.length > 0 && !ports.some((port) => isPort(port, to, way))) return false;
      return peers.length === 0 || peers.some((peer) => isPeer(peer, namespace, other));
    });
  });
}

/**
 * Whether `from` may open a connection to `to`: the one may send it and the other receive it.
 *
 * @param manifests - objects of a release; its NetworkPolicies count
 * @param namespace - where the release is
 */
export function mayReach(manifests: readonly Manifest[], namespace: string) {
  const policies = manifests
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ metadata, spec }) => ({ ...(spec as object as PolicySpec), namespace: metadata.namespace ?? namespace }));
  const ruling: Record<Direction, Map<Endpoint, Policy[]>> = { Ingress: new Map(), Egress: new Map() };
  const of = (direction: Direction, endpoint: Endpoint): Policy[] => {
    const known = ruling[direction].get(endpoint) ?? rulingOf(policies, direction, endpoint);
    ruling[direction].set(endpoint, known);
    return known;
  };
  return (from: Endpoint, to: Endpoint, way: Way): boolean =>
    allows(of('Egress', from), 'Egress', from, to, way) && allows(of('Ingress', to), 'Ingress', from, to, way);
}
