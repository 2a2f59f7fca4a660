import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Manifest } from './manifest.ts';

/** As much of a Kubernetes API server as `helm template --dry-run=server` asks: what there is, secrets and Deployments. */
export interface FakeApiServer {
  /** What makes helm ask it. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Where objects of a kind are. */
const resources: Record<string, { readonly api: string; readonly name: string }> = {
  Secret: { api: '/api/v1', name: 'secrets' },
  Deployment: { api: '/apis/apps/v1', name: 'deployments' },
};

const apps = { groupVersion: 'apps/v1', version: 'v1' };
const discovery: Record<string, object> = {
  '/version': { major: '1', minor: '34', gitVersion: 'v1.34.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [{ name: 'apps', versions: [apps], preferredVersion: apps }],
  },
  ...Object.fromEntries(
    Object.entries(resources).map(([kind, { api, name }]) => [
      api,
      {
        kind: 'APIResourceList',
        groupVersion: api.replace(/^\/apis?\//, ''),
        resources: [{ name, singularName: kind.toLowerCase(), namespaced: true, kind, verbs: ['get', 'list'] }],
      },
    ]),
  ),
};

/**
 * Starts one that has these objects.
 *
 * @param dir - where its kubeconfig is put
 */
export async function startFakeApiServer(
  inCluster: readonly Manifest[],
  namespace: string,
  dir: string,
): Promise<FakeApiServer> {
  const objects: Record<string, object> = { ...discovery };
  for (const [kind, { api, name }] of Object.entries(resources)) {
    const items = inCluster.filter((each) => each.kind === kind);
    const path = `${api}/namespaces/${namespace}/${name}`;
    objects[path] = { kind: `${kind}List`, apiVersion: api.replace(/^\/apis?\//, ''), metadata: {}, items };
    for (const item of items) objects[`${path}/${item.metadata.name}`] = item;
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const found = objects[pathname];
    const body = found ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(dir, 'kubeconfig.json');
  const named = (what: string, value: object) => [{ name: 'fake', [what]: value }];
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: named('cluster', { server: `http://127.0.0.1:${port}` }),
      users: named('user', {}),
      contexts: named('context', { cluster: 'fake', user: 'fake', namespace }),
      'current-context': 'fake',
    }),
  );
  return {
    kubeconfig,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
