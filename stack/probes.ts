// Is it up? Asked on the wire, because the three drivers would cost the starter 50 MB for as long as the stack runs.
import { get } from 'node:http';
import { connect } from 'node:net';

const probeTimeoutMs = 2_000;

/** Where a server listens. */
export interface Listener {
  readonly host: string;
  readonly port: number;
}

/** Sends a request and tells whether `accept` likes the first bytes of the answer. */
function ask(at: Listener, request: Buffer, accept: (answer: Buffer) => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at);
    const finish = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.setTimeout(probeTimeoutMs, () => finish(false));
    socket.on('connect', () => socket.write(request));
    socket.on('data', (answer) => finish(accept(answer)));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
  });
}

/** Whether Redis answers PING (not while it loads its data). */
export function redisAnswers(at: Listener): Promise<boolean> {
  return ask(at, Buffer.from('PING\r\n'), (answer) => answer.toString().startsWith('+PONG'));
}

/** {hello: 1, $db: 'admin'} as an OP_MSG of the MongoDB wire protocol. */
function helloMessage(): Buffer {
  const hello = Buffer.from('\x10hello\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0', 'latin1');
  const message = Buffer.alloc(25 + hello.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(1, 4);
  message.writeInt32LE(2013, 12);
  message.writeInt32LE(hello.length + 4, 21);
  hello.copy(message, 25);
  return message;
}

/** Whether a MongoDB server answers, and with `isPrimary` whether it also takes writes. */
export function mongodbAnswers(at: Listener, isPrimary: boolean): Promise<boolean> {
  const wanted = Buffer.from(isPrimary ? '\x08isWritablePrimary\0\x01' : '\x08isWritablePrimary\0', 'latin1');
  return ask(at, helloMessage(), (answer) => answer.includes(wanted));
}

/** Whether the broker answers an ApiVersions request, the first that any client sends. */
export function kafkaAnswers(at: Listener): Promise<boolean> {
  const request = Buffer.alloc(14);
  request.writeInt32BE(10, 0);
  request.writeInt16BE(18, 4);
  request.writeInt32BE(7, 8);
  request.writeInt16BE(-1, 12);
  return ask(at, request, (answer) => answer.length >= 8 && answer.readInt32BE(4) === 7);
}

/** Whether `GET path` answers 200. */
export function httpAnswers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ port, path, host: '127.0.0.1', agent: false, timeout: probeTimeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
