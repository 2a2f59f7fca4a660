import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdOf } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

/** The answer under way or last sent on a connection. */
export type AnswerOf = (socket: Socket) => ServerResponse | undefined;

const brokenRequests: Readonly<Record<string, readonly [status: number, title: string, code: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers_too_large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Content Too Large', 'payload_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request_timeout'],
};

/** Answers what never became a whole request, in the same form as every other error, and ends the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, answerOf: AnswerOf): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const answer = answerOf(socket);
  // Behind one that is being answered in turn: what went out now would be taken for that one's answer.
  if (answer !== undefined && !answer.writableFinished && answer.socket === null) return void socket.destroy();
  if (answer !== undefined && !answer.writableFinished && answer.req.complete) {
    // What is broken came after a request that is still being answered, and must not be taken for its answer.
    if (answer.listenerCount('finish', endConnection) === 0) answer.once('finish', endConnection);
    return;
  }
  // An answer that went out before its request was whole cannot be followed by another.
  if (answer?.headersSent === true && !answer.req.complete) return void socket.destroy();
  const [status, title, code] = brokenRequests[error.code ?? ''] ?? [400, 'Bad Request', 'bad_request'];
  const requestId = requestIdOf(undefined);
  const detail = 'The request could not be read.';
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, requestId });
  const headers = {
    ...securityHeaders,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`);
}

function endConnection(this: ServerResponse): void {
  this.req.socket.destroySoon();
}
