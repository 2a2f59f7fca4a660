import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { IdentityServiceClient, IdentityServiceService } from '#proto/identity/v1/identity.ts';
import { createTestLogger, testCaller } from '../testing.ts';
import { createRpcClient } from './client.ts';
import { startGrpcServer } from './server.ts';

const callerSecret = randomBytes(32);

test('a connection that does not come about is given up, and calls that waited for it go over another', async () => {
  const handlers = { deleteAppKey: async () => ({}) };
  const options = { host: '127.0.0.1', port: 0, callerSecret, logger: createTestLogger() };
  const server = await startGrpcServer<Record<string, never>>(IdentityServiceService, handlers, {
    ...options,
    metrics: { observe: () => undefined },
  });
  // The first connection is taken and never spoken on, as by the address of a pod that is gone.
  const sockets: Socket[] = [];
  const proxy = createServer((socket) => {
    sockets.push(socket);
    if (sockets.length === 1) return;
    const onward = connect(server.port, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const side of [socket, onward]) side.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const client = createRpcClient(
    IdentityServiceClient,
    `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    callerSecret,
  );
  const startedAt = performance.now();
  const calls = ['a', 'b', 'c'].map((id) => client.deleteAppKey({ id }, testCaller()));
  expect(await Promise.all(calls)).toEqual([{}, {}, {}]);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(sockets).toHaveLength(2);
  client.close();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await server.stop(1_000);
});
