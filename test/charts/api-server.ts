import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Manifest } from './manifest.ts';

/** As much of a Kubernetes API server as `helm template --dry-run=server` asks: what there is, and one secret. */
export interface FakeApiServer {
  /** What makes helm ask it. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const discovery: Record<string, object> = {
  '/version': { major: '1', minor: '34', gitVersion: 'v1.34.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [{ name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret', verbs: ['get', 'list'] }],
  },
};

/**
 * Starts one that has these secrets.
 *
 * @param dir - where its kubeconfig is put
 */
export async function startFakeApiServer(
  secrets: readonly Manifest[],
  namespace: string,
  dir: string,
): Promise<FakeApiServer> {
  const objects: Record<string, object> = { ...discovery };
  for (const secret of secrets) objects[`/api/v1/namespaces/${namespace}/secrets/${secret.metadata.name}`] = secret;
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
