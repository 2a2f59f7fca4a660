import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '#platform/env.ts';
import { startFakeApiServer } from './api-server.ts';
import { configFault } from './known-env.ts';
import type { Container, Manifest } from './manifest.ts';
import { fullname, ofKind, one, podsOf, release, render, template } from './render.ts';

const services = ['identity', 'loyalty', 'templates', 'giftcards', 'webhooks'];
const components = ['gateway', ...services];

function containerOf(manifests: readonly Manifest[], component: string): Container {
  const container = one(manifests, 'Deployment', `-${component}`).spec?.template?.spec.containers[0];
  if (container === undefined) throw new Error(`${component} has no container`);
  return container;
}

/** Which key of which secret each variable of a container is from. */
function secretsOf({ env = [] }: Container): Record<string, string> {
  const refs = env.flatMap(({ name, valueFrom }) =>
    valueFrom?.secretKeyRef ? [[name, valueFrom.secretKeyRef] as const] : [],
  );
  return Object.fromEntries(refs.map(([name, { name: secret, key }]) => [name, `${secret}/${key}`]));
}

const dataOf = (manifests: readonly Manifest[]) =>
  Object.fromEntries(ofKind(manifests, 'Secret').map(({ metadata, data }) => [metadata.name, data]));

/** What users put into the secrets that they make themselves. */
const given: Record<string, string> = {
  uri: 'mongodb://user:secret@db.example.com/?replicaSet=rs0',
  url: 'smtp://mail.example.com:587',
  brokers: 'kafka-0:9092,kafka-1:9092',
  username: 'shop',
  password: 'secret',
};

function envOf(container: Container, manifests: readonly Manifest[]): Env {
  const secrets = new Map(ofKind(manifests, 'Secret').map((secret) => [secret.metadata.name, secret]));
  const values = (container.env ?? []).map(({ name, value, valueFrom }) => {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    const made = secrets.get(secret);
    const found =
      made?.data?.[key] === undefined ? made?.stringData?.[key] : Buffer.from(made.data[key], 'base64').toString();
    return [name, value ?? found ?? given[key]];
  });
  return Object.fromEntries(values);
}

describe('generated', () => {
  test.each(components)('%s starts with what it is told', async (component) => {
    for (const values of ['ingress', 'trial', 'tuned']) {
      const manifests = await render(values);
      expect(await configFault(component, envOf(containerOf(manifests, component), manifests))).toBe('');
    }
  });

  test('they are made for each release anew', async () => {
    const [first, second] = [await render('ingress'), await render('ingress', 'logLevel=debug')];
    const keysOf = (manifests: readonly Manifest[]) =>
      Object.values(dataOf(manifests)).flatMap((data) => Object.values(data ?? {}));
    expect(keysOf(first)).toHaveLength(7);
    expect(new Set([...keysOf(first), ...keysOf(second)]).size).toBe(14);
  });

  test('an uninstall leaves them', async () => {
    for (const { metadata } of ofKind(await render('ingress'), 'Secret')) {
      expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    }
  });

  test('what is in the cluster is kept, and what is missing there is made', async () => {
    const before = ofKind(await render('ingress'), 'Secret');
    const [identity] = before.filter(({ metadata }) => metadata.name.endsWith('-identity'));
    const rotated = { ...identity?.data, API_KEY_PEPPER: Buffer.from('changed by hand').toString('base64') };
    const { JWT_PRIVATE_KEY: _lost, ...withoutOne } = rotated as Record<string, string>;
    const inCluster = before.map((each) => (each === identity ? { ...each, data: withoutOne } : each));
    const dir = mkdtempSync(join(tmpdir(), 'tallycard-chart-'));
    const server = await startFakeApiServer(inCluster, release.namespace, dir);
    try {
      const after = await template('ingress', [], ['--dry-run=server', '--kubeconfig', server.kubeconfig]);
      const { JWT_PRIVATE_KEY: made, ...kept } = dataOf(after)[`${fullname}-identity`] ?? {};
      expect(kept).toEqual(Object.fromEntries(Object.entries(withoutOne)));
      expect(Buffer.from(made ?? '', 'base64').length).toBeGreaterThan(60);
      for (const what of ['caller', 'giftcards', 'webhooks']) {
        expect(dataOf(after)[`${fullname}-${what}`]).toEqual(dataOf(before)[`${fullname}-${what}`]);
      }
    } finally {
      await server.stop();
      rmSync(dir, { recursive: true });
    }
  });

  test('one that is given is not made as well', async () => {
    const manifests = await render('ingress', 'components.giftcards.existingSecret=ours');
    expect(Object.keys(dataOf(manifests))).not.toContain(`${fullname}-giftcards`);
    expect(secretsOf(containerOf(manifests, 'giftcards'))).toMatchObject({ CARD_HMAC_KEY: 'ours/CARD_HMAC_KEY' });
  });
});

describe('given', () => {
  const kafka = {
    KAFKA_BROKERS: 'own-kafka/brokers',
    KAFKA_USERNAME: 'own-kafka/username',
    KAFKA_PASSWORD: 'own-kafka/password',
  };
  const caller = { CALLER_SECRET: 'own-caller/CALLER_SECRET' };

  test.each<[string, Record<string, string>]>([
    ['gateway', { REDIS_URL: 'own-redis/url' }],
    [
      'identity',
      {
        ...kafka,
        REDIS_URL: 'own-redis/url',
        MONGODB_URI: 'mongodb-identity/uri',
        JWT_PRIVATE_KEY: 'own-identity/JWT_PRIVATE_KEY',
        JWT_FORMER_PUBLIC_KEYS: 'own-identity/JWT_FORMER_PUBLIC_KEYS',
        API_KEY_PEPPER: 'own-identity/API_KEY_PEPPER',
        IDENTITY_ENCRYPTION_KEYS: 'own-identity/IDENTITY_ENCRYPTION_KEYS',
        SMTP_URL: 'own-mail/url',
      },
    ],
    ['loyalty', { MONGODB_URI: 'mongodb-loyalty/uri' }],
    ['templates', { MONGODB_URI: 'mongodb-templates/uri' }],
    [
      'giftcards',
      {
        ...kafka,
        REDIS_URL: 'own-locks/url',
        MONGODB_URI: 'mongodb-giftcards/uri',
        CARD_ENCRYPTION_KEYS: 'own-giftcards/CARD_ENCRYPTION_KEYS',
        CARD_HMAC_KEY: 'own-giftcards/CARD_HMAC_KEY',
      },
    ],
    [
      'webhooks',
      {
        ...kafka,
        MONGODB_URI: 'mongodb-webhooks/uri',
        WEBHOOK_ENCRYPTION_KEYS: 'own-webhooks/WEBHOOK_ENCRYPTION_KEYS',
      },
    ],
  ])('%s sees its own secrets and no other’s', async (component, expected) => {
    expect(secretsOf(containerOf(await render('external'), component))).toEqual({ ...caller, ...expected });
  });

  test('none is made then', async () => {
    expect(ofKind(await render('external'), 'Secret')).toEqual([]);
  });

  test('each migration sees its service’s MongoDB alone; a test sees nothing', async () => {
    const pods = podsOf(await render('external'));
    const migrations = pods.find(({ owner }) => owner === `Job/${fullname}-migrations`);
    expect(migrations?.spec.containers.map((each) => secretsOf(each))).toEqual(
      services.map((service) => ({ MONGODB_URI: `mongodb-${service}/uri` })),
    );
    const tests = pods.find(({ owner }) => owner.startsWith('Pod/'));
    expect(tests?.spec.containers.map((each) => secretsOf(each))).toEqual([{}]);
  });

  test('a MongoDB of its own goes before the one for all', async () => {
    const manifests = await render('tuned');
    expect(secretsOf(containerOf(manifests, 'webhooks')).MONGODB_URI).toBe('mongodb-webhooks/uri');
    expect(secretsOf(containerOf(manifests, 'giftcards')).MONGODB_URI).toBe('mongodb/uri');
    expect(containerOf(manifests, 'giftcards').env).toContainEqual({
      name: 'MONGODB_DATABASE',
      value: 'shop_giftcards',
    });
  });

  test('only the signing keys of before may be missing', async () => {
    const refs = podsOf(await render('external')).flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env));
    const optional = refs.filter(({ valueFrom }) => valueFrom?.secretKeyRef?.optional).map(({ name }) => name);
    expect(optional).toEqual(['JWT_FORMER_PUBLIC_KEYS']);
  });
});

test('no secret stands in the text of an object other than a Secret', async () => {
  const manifests = await render('ingress');
  const secrets = Object.values(dataOf(manifests)).flatMap((data) => Object.values(data ?? {}));
  const rest = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'));
  for (const secret of secrets) {
    expect(rest).not.toContain(secret);
    expect(rest).not.toContain(Buffer.from(secret, 'base64').toString());
  }
});
