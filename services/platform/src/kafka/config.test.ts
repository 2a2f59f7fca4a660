import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { EnvReader } from '../process/env.ts';
import { createTestLogger } from '../testing.ts';
import { readKafkaConfig } from './config.ts';
import { createKafka } from './kafka.ts';

const read = (env: Record<string, string>) => {
  const reader = new EnvReader({ KAFKA_BROKERS: 'b:9092', ...env });
  return reader.done(readKafkaConfig(reader));
};
const login = { KAFKA_USERNAME: 'tallycard', KAFKA_PASSWORD: 'hunter2hunter2' };

test('without more Kafka is plain', () => {
  expect(read({})).toEqual({ brokers: ['b:9092'], prefix: '', tls: false, sasl: undefined });
});

test.each(['plain', 'scram-sha-256', 'scram-sha-512'])('SASL by %s', (mechanism) => {
  const config = read({ KAFKA_TLS: 'true', KAFKA_SASL_MECHANISM: mechanism, ...login });
  const sasl = { mechanism, username: 'tallycard', password: 'hunter2hunter2' };
  expect(config).toMatchObject({ tls: true, sasl });
});

test.each([
  [{ KAFKA_TLS: 'yes' }, 'KAFKA_TLS'],
  [{ KAFKA_SASL_MECHANISM: 'oauthbearer', ...login }, 'KAFKA_SASL_MECHANISM'],
  [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_PASSWORD: 'hunter2hunter2' }, 'KAFKA_USERNAME'],
  [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_USERNAME: 'tallycard' }, 'KAFKA_PASSWORD'],
  [{ KAFKA_PASSWORD: 'hunter2hunter2' }, 'KAFKA_PASSWORD'],
  [{ KAFKA_USERNAME: 'tallycard' }, 'KAFKA_USERNAME'],
])('%j is refused, by the name of the variable and without the secret', (env, name) => {
  expect(() => read(env)).toThrow(name);
  expect(() => read(env)).not.toThrow('hunter2');
});

/** The first bytes that a client with this configuration sends. */
async function firstBytes(config: object): Promise<Buffer> {
  const received = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', (bytes) => {
        received.resolve(bytes);
        socket.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const brokers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
  const admin = createKafka({ brokers, prefix: '', ...config }, 'test', createTestLogger()).admin();
  admin.connect().catch(() => undefined);
  const bytes = await received.promise;
  await admin.disconnect().catch(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  return bytes;
}

test('KAFKA_TLS speaks TLS to brokers', async () => {
  const handshake = 0x16;
  expect((await firstBytes({ tls: true }))[0]).toBe(handshake);
  expect((await firstBytes({}))[0]).not.toBe(handshake);
});
