import type { Env } from '#platform/process/env.ts';
import { configFault } from './known-env.ts';
import type { Container, Manifest } from './manifest.ts';
import { fullname, ofKind, one, podsOf, render, template, templateInCluster } from './render.ts';

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

/** What helm itself keeps beside them. */
const others: Manifest = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'sh.helm.release.v1.shop.v1', labels: { owner: 'helm' } },
};

const own = (component: string) => `components.${component}.existingSecret=ours`;

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

  test('a hook makes them and no revision has them: upgrade, rollback and uninstall leave what is there', async () => {
    for (const { metadata } of ofKind(await render('ingress'), 'Secret')) {
      expect(metadata.annotations).toEqual({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '-20',
        // Anything but this one, and the default, which is to delete them before they are made again.
        'helm.sh/hook-delete-policy': 'hook-failed',
        'helm.sh/resource-policy': 'keep',
      });
    }
  });

  test('what is in the cluster is not made again, by an upgrade or by a new installation', async () => {
    const made = ofKind(await render('ingress'), 'Secret');
    expect(made).toHaveLength(4);
    for (const flags of [['--is-upgrade'], []]) {
      expect(ofKind(await templateInCluster(made, [], flags), 'Secret')).toEqual([]);
    }
  });

  test('a first installation makes them beside secrets of others', async () => {
    expect(ofKind(await templateInCluster([others], [], []), 'Secret')).toHaveLength(4);
  });

  test('an upgrade makes no new keys for databases that there are already', async () => {
    const made = ofKind(await render('ingress'), 'Secret');
    const upgrade = (...sets: string[]) => templateInCluster([...made, others], sets, ['--is-upgrade']);
    await expect(upgrade('fullnameOverride=cards')).rejects.toThrow(
      /The secret cards-caller is not there.*change them back, or copy the secret to this name/s,
    );
    await expect(upgrade('nameOverride=cards')).rejects.toThrow('The secret shop-cards-caller is not there');
    const without = made.filter(({ metadata }) => !metadata.name.endsWith('-giftcards'));
    await expect(templateInCluster([...without, others], [], ['--is-upgrade'])).rejects.toThrow(
      `The secret ${fullname}-giftcards is not there`,
    );
    const given = await templateInCluster([...without, others], [own('giftcards')], ['--is-upgrade']);
    expect(ofKind(given, 'Secret')).toEqual([]);
  });

  test('a key that is missing in the cluster is not made anew', async () => {
    const inCluster = ofKind(await render('ingress'), 'Secret').map((each) => {
      const { JWT_PRIVATE_KEY: _lost, ...data } = each.data ?? {};
      return { ...each, data };
    });
    for (const flags of [['--is-upgrade'], []]) {
      await expect(templateInCluster(inCluster, [], flags)).rejects.toThrow(
        `The secret ${fullname}-identity has no JWT_PRIVATE_KEY`,
      );
    }
  });

  test('a tool that renders upgrades without asking the cluster is not refused', async () => {
    expect(ofKind(await template('ingress', [], ['--is-upgrade']), 'Secret')).toHaveLength(4);
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
