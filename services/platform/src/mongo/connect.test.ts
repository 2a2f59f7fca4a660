import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { createTestLogger } from '../testing.ts';
import { connectMongo } from './mongo.ts';

const { BSON } = mongoose.mongo;
/** Of the wire protocol: the header's bytes, and what stands before the document in each kind of message. */
const headerBytes = 16;
const opMsg = { code: 2013, prefix: Buffer.alloc(5) };
const opReply = { code: 1, prefix: Buffer.alloc(20).fill(1, 16, 17) };

const addressOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Answers like a member of a replica set: `hello` with what `isPrimary` says, everything else with ok. */
function startMember(isPrimary: () => boolean): Promise<Server> {
  const server = createServer((socket: Socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= headerBytes && bytes.length >= bytes.readInt32LE(0)) {
        const message = bytes.subarray(0, bytes.readInt32LE(0));
        bytes = bytes.subarray(message.length);
        const { code, prefix } = message.readInt32LE(12) === opMsg.code ? opMsg : opReply;
        const document = BSON.serialize({
          ok: 1,
          helloOk: true,
          setName: 'set',
          hosts: [addressOf(server)],
          isWritablePrimary: isPrimary(),
          ismaster: isPrimary(),
          secondary: !isPrimary(),
          minWireVersion: 0,
          maxWireVersion: 25,
        });
        const header = Buffer.alloc(headerBytes);
        header.writeInt32LE(headerBytes + prefix.length + document.length, 0);
        header.writeInt32LE(message.readInt32LE(4), 8);
        header.writeInt32LE(code, 12);
        socket.write(Buffer.concat([header, prefix, document]));
      }
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

let server: Server;
afterEach(() => {
  server.close();
});

test('a server that is named directly is waited for until it takes writes', async () => {
  const primaryFrom = performance.now() + 700;
  server = await startMember(() => performance.now() >= primaryFrom);
  const uri = `mongodb://${addressOf(server)}/?directConnection=true`;
  const connection = await connectMongo({ uri, database: 'any' }, createTestLogger());
  expect(performance.now()).toBeGreaterThanOrEqual(primaryFrom);
  await connection.close();
});
