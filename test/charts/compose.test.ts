// compose.yaml, as far as it can be held to something without a container engine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repoRoot } from '#stack/paths.ts';
import { composeFaults } from './api-schema.ts';
import { configFault, envNames } from './known-env.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly retries: number };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly command?: readonly string[];
  readonly read_only?: boolean;
}

/** With `${NAME:-default}` as it is when nothing is set. */
const text = readFileSync(join(repoRoot, 'compose.yaml'), 'utf8').replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const file = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: Record<string, null> };
const dockerfile = readFileSync(join(repoRoot, 'Dockerfile'), 'utf8');

const components = ['gateway', 'identity', 'loyalty', 'templates', 'giftcards', 'webhooks'];
const service = (name: string): Service => {
  const found = file.services[name];
  if (found === undefined) throw new Error(`compose.yaml has no ${name}`);
  return found;
};

test('it keeps to the Compose specification', () => {
  expect(composeFaults(file)).toEqual([]);
  expect(composeFaults({ services: { a: { image: 'a', volume: [] } } }).join()).toContain('"volume"');
  expect(composeFaults({ services: { a: { image: 'a', depends_on: { b: { condition: 'ready' } } } } })).not.toEqual([]);
});

test('it brings up MongoDB 8, Redis, Kafka, an S3 server, a mail catcher and the six components', () => {
  expect(Object.keys(file.services).sort()).toEqual([...components, 'kafka', 'mail', 'mongodb', 'redis', 's3'].sort());
  expect(service('mongodb').image).toMatch(/^mongo:8\./);
});

test('every image that is pulled has a version', () => {
  for (const { image, build } of Object.values(file.services)) {
    if (build === undefined) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?$/);
  }
});

test('MongoDB is a replica set of one that begins by itself, and is named directly', () => {
  const { command = [], healthcheck } = service('mongodb');
  const name = command[command.indexOf('--replSet') + 1];
  expect(healthcheck?.test.at(-1)).toContain(
    `rs.initiate({_id: '${name}', members: [{_id: 0, host: 'mongodb:27017'}]})`,
  );
  for (const { environment = {} } of Object.values(file.services)) {
    if (environment.MONGODB_URI) expect(environment.MONGODB_URI).toBe('mongodb://mongodb:27017/?directConnection=true');
  }
});

test.each(components)('%s is built from its own stage, and starts with what it is told', async (name) => {
  const { build, environment = {}, read_only } = service(name);
  expect(build?.target).toBe(name);
  expect(dockerfile).toContain(`FROM runtime AS ${name}\n`);
  expect(read_only).toBe(true);
  expect(await configFault(name, environment)).toBe('');
  const known = await envNames(name);
  expect(Object.keys(environment).filter((each) => !known.has(each))).toEqual([]);
});

test.each(components)('%s needs each of its variables that has no default', async (name) => {
  const { environment = {} } = service(name);
  const optional = ['PUBLIC_URL', 'MAIL_FROM'];
  for (const left of Object.keys(environment).filter((each) => !optional.includes(each))) {
    const { [left]: _, ...rest } = environment;
    expect(await configFault(name, rest)).toContain(left);
  }
});

test('every part says when it is healthy: components by their image', () => {
  expect(dockerfile).toMatch(/^HEALTHCHECK .*\/readyz/m);
  for (const [name, { healthcheck }] of Object.entries(file.services)) {
    if (!components.includes(name)) expect([name, healthcheck?.retries]).toEqual([name, expect.any(Number)]);
  }
});

test('a component waits until all that its variables name is healthy', () => {
  const hosts = Object.keys(file.services);
  for (const name of components) {
    const { environment = {}, depends_on = {} } = service(name);
    const addresses = Object.entries(environment).filter(([key]) => /_(URI|URL|ADDR|BROKERS)$/.test(key));
    const named = hosts.filter((host) => addresses.some(([, value]) => new RegExp(`(^|[/@,])${host}:\\d`).test(value)));
    expect([name, Object.keys(depends_on).sort()]).toEqual([name, named.sort()]);
    for (const { condition } of Object.values(depends_on)) expect(condition).toBe('service_healthy');
  }
});

test('only this machine reaches it, and what is kept is in volumes that are declared', () => {
  for (const { ports = [], volumes = [] } of Object.values(file.services)) {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of volumes) expect(Object.keys(file.volumes)).toContain(volume.split(':')[0]);
  }
});
