import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { freePort, isPortFree } from './ports.ts';
import { httpAnswers, kafkaAnswers, type Listener, mongodbAnswers, redisAnswers } from './probes.ts';

const host = '127.0.0.1';

let server: Server | undefined;
afterEach(() => server?.close());

async function listen(listening: Server): Promise<number> {
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
}

/** A server that answers anything with the same bytes. */
async function answering(answer: string | Buffer): Promise<Listener> {
  return { host, port: await listen(createServer((socket) => socket.on('data', () => socket.end(answer)))) };
}

test.each([
  ['+PONG\r\n', true],
  ['-LOADING Redis is loading the dataset in memory\r\n', false],
])('Redis that answers %j is up: %s', async (answer, isUp) => {
  expect(await redisAnswers(await answering(answer))).toBe(isUp);
});

test('MongoDB is asked whether it takes writes', async () => {
  const secondary = await answering(Buffer.from('…\x08isWritablePrimary\0\0…', 'latin1'));
  expect(await mongodbAnswers(secondary, false)).toBe(true);
  expect(await mongodbAnswers(secondary, true)).toBe(false);
});

test('Kafka is up when it answers our request and not just anything', async () => {
  expect(await kafkaAnswers(await answering(Buffer.from([0, 0, 0, 6, 0, 0, 0, 7, 0, 0])))).toBe(true);
  server?.close();
  expect(await kafkaAnswers(await answering('HTTP/1.1 400 Bad Request'))).toBe(false);
});

test('nobody there is no answer', async () => {
  const port = await freePort();
  const nobody = { host, port };
  const answers = [redisAnswers(nobody), kafkaAnswers(nobody), mongodbAnswers(nobody, false), httpAnswers(port, '/')];
  expect(await Promise.all(answers)).toEqual([false, false, false, false]);
});

test('only 200 is ready', async () => {
  const http = createHttpServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? 200 : 503).end();
  });
  const port = await listen(http);
  expect([await httpAnswers(port, '/readyz'), await httpAnswers(port, '/other')]).toEqual([true, false]);
});

test('a port that somebody listens on is not free', async () => {
  expect(await isPortFree((await answering('')).port)).toBe(false);
  expect(await isPortFree(await freePort())).toBe(true);
});
