import { librariesIn } from './debian-packages.ts';
import { containerArgs } from './docker.ts';
import { clusterId, containerSettings, serverProperties } from './kafka-settings.ts';

test('only libraries are taken from what apt-cache says', () => {
  const output = [
    'redis-server',
    '  Depends: libc6',
    'libjemalloc2',
    '<debconf-2.0>',
    'lua-cjson',
    'libjemalloc2',
    'adduser',
  ];
  expect(librariesIn(output.join('\n'))).toEqual(['libjemalloc2', 'lua-cjson']);
});

test('a container is published on loopback only', () => {
  const args = containerArgs({
    name: 'redis',
    containerName: 'tallycard-1-redis',
    image: 'redis:7',
    host: '127.0.0.1',
    port: 5000,
    innerPort: 6379,
    args: ['redis-server'],
    cwd: '/',
    isReady: async () => true,
  });
  expect(args.join(' ')).toContain('--publish 127.0.0.1:5000:6379 redis:7 redis-server');
});

test('the broker listens where it is told, and its controller on loopback only', () => {
  const properties = serverProperties({ host: '10.0.0.7', port: 1, controllerPort: 2, dataDir: '/data' });
  expect(properties.match(/^listeners=(.*)$/m)?.[1]).toBe('BROKER://10.0.0.7:1,CONTROLLER://127.0.0.1:2');
});

test('the image is told the same by environment', () => {
  expect(containerSettings({ host: '127.0.0.1', port: 5000 })).toMatchObject({
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    KAFKA_ADVERTISED_LISTENERS: 'BROKER://127.0.0.1:5000,INSIDE://localhost:19092',
    CLUSTER_ID: clusterId,
  });
});

test('the cluster id is the 22 characters of base64 that Kafka wants', () => {
  expect(Buffer.from(clusterId, 'base64url')).toHaveLength(16);
});
