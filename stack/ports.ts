import { createServer } from 'node:net';
import { StackError } from './progress.ts';

// Below the range that outgoing connections draw from, so that a port stays free while its owner is restarted.
const portMin = 20_000;
const portMax = 31_999;
const attemptsMax = 200;

const handedOut = new Set<number>();

/** Whether this address can be listened on now. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A port that nobody listens on and that this process has not handed out before. */
export async function freePort(host?: string): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = portMin + Math.floor(Math.random() * (portMax - portMin + 1));
    if (handedOut.has(port) || !(await isPortFree(port, host))) continue;
    handedOut.add(port);
    return port;
  }
  throw new StackError(`no free port between ${portMin} and ${portMax}`);
}
