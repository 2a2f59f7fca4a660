import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a refused client may be silent in mid-sentence. */
const silenceMsMax = 2_000;
/** How long a refused client is listened to, in vain. */
const lingerMsMax = 30_000;

/** Whether more of the request is to come: a client that was not told to go on with its body sends none. */
export const isStillSending = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && headers.expect === undefined;

/**
 * Sends `body`, and ends the connection once the client has sent all, falls silent or has had its time. A connection
 * that is closed on a client in mid-sentence is reset, and the answer may be lost.
 */
export function endLingering(response: ServerResponse<IncomingMessage>, body: string): void {
  const request = response.req;
  response.write(body);
  const until = performance.now() + lingerMsMax;
  let isSilent = false;
  const silence = setTimeout(() => {
    isSilent = true;
    // After a stall timers are early: what came during it has not been read yet.
    setImmediate(() => isSilent && end());
  }, silenceMsMax);
  const end = () => {
    clearTimeout(silence);
    request.off('data', listen);
    response.end();
  };
  const listen = () => {
    isSilent = false;
    if (performance.now() < until) silence.refresh();
    else end();
  };
  request.on('data', listen).once('end', end).once('close', end).resume();
}
