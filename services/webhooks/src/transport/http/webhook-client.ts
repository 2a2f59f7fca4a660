import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type AddressPolicy, isAllowedAddress } from '../../domain/address-policy.ts';
import type { PostResult, WebhookClient, WebhookPost } from '../../domain/ports.ts';
import { literalAddress } from '../../domain/webhook-url.ts';
import { createGuardedLookup, RefusedAddressError, type Resolve } from './guarded-lookup.ts';

export interface WebhookClientOptions {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  /** For the whole exchange: name look-up, connection, sending and answer. */
  readonly timeoutMs: number;
}

const answerBytesMax = 64 * 1024;
/** How long an answer nobody reads may keep its connection before it is cut. */
const drainMsMax = 1_000;
const idleConnectionMs = 10_000;
const idleConnectionsPerHostMax = 64;

class TimeoutError extends Error {}
class AbortedError extends Error {}

/** An HTTP client with kept-alive connections, guarded by the address policy. Close it when done. */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient & { close(): void } {
  const agentOptions = { keepAlive: true, maxFreeSockets: idleConnectionsPerHostMax, timeout: idleConnectionMs };
  const http = new HttpAgent(agentOptions);
  const https = new HttpsAgent(agentOptions);
  const lookup = createGuardedLookup(options.policy, options.resolve);
  const post = async (post: WebhookPost): Promise<PostResult> => {
    const url = new URL(post.url);
    const literal = literalAddress(url.hostname);
    const refused = literal !== undefined && !isAllowedAddress(literal, options.policy);
    if (refused) return { fault: 'refused_address', message: `${url.hostname} is not allowed` };
    const deadlineAt = performance.now() + options.timeoutMs;
    const secure = url.protocol === 'https:';
    const exchange = () => {
      const request: RequestOptions = {
        method: 'POST',
        headers: headersOf(post),
        lookup,
        agent: secure ? https : http,
      };
      return sendOnce(secure ? httpsRequest : httpRequest, url, request, post, deadlineAt - performance.now());
    };
    const first = await exchange();
    // The receiver closed a kept connection just as it was used again; on a new one it can hear us.
    const result = first === 'stale_connection' ? await exchange() : first;
    return result === 'stale_connection' ? { fault: 'connection_failed', message: 'connection reset' } : result;
  };
  return {
    post: (request) => post(request).catch((error: unknown) => faultOf(error)),
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

function headersOf(post: WebhookPost): Record<string, string | number> {
  return { ...post.headers, 'content-length': Buffer.byteLength(post.body) };
}

function sendOnce(
  send: typeof httpRequest,
  url: URL,
  options: RequestOptions,
  post: WebhookPost,
  timeoutMs: number,
): Promise<PostResult | 'stale_connection'> {
  return new Promise((resolve) => {
    const request = send(url, options);
    let cutBy: Error | undefined;
    const cut = (reason: Error) => {
      cutBy = reason;
      request.destroy(reason);
    };
    const timer = setTimeout(() => cut(new TimeoutError('no answer in time')), Math.max(1, timeoutMs));
    const abort = () => cut(new AbortedError('stopping'));
    const settle = (result: PostResult | 'stale_connection') => {
      clearTimeout(timer);
      post.signal?.removeEventListener('abort', abort);
      resolve(result);
    };
    post.signal?.addEventListener('abort', abort, { once: true });
    if (post.signal?.aborted) abort();
    request.on('error', (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      settle(stale ? 'stale_connection' : faultOf(cutBy ?? error));
    });
    request.on('response', (response) => {
      if (!post.readsBody) {
        settle({ status: response.statusCode ?? 0, body: '' });
        drain(response);
        return;
      }
      readBody(response).then(
        (body) => settle({ status: response.statusCode ?? 0, body }),
        (error: unknown) => settle(faultOf(cutBy ?? error)),
      );
    });
    request.end(post.body);
  });
}

/** The first 64 KiB of an answer; what is longer is cut off, and its connection closed. */
async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= answerBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8');
}

/** Lets a short answer end, so that its connection can be used again; a long or endless one loses its connection. */
function drain(response: IncomingMessage): void {
  let bytes = 0;
  const cut = setTimeout(() => response.destroy(), drainMsMax);
  cut.unref();
  response
    .on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > answerBytesMax) response.destroy();
    })
    .on('error', () => undefined)
    .on('close', () => clearTimeout(cut));
}

function faultOf(error: unknown): PostResult & { fault: string } {
  const { message } = error as Error;
  if (error instanceof TimeoutError) return { fault: 'timeout', message };
  if (error instanceof AbortedError) return { fault: 'aborted', message };
  if (error instanceof RefusedAddressError) return { fault: 'refused_address', message };
  return { fault: 'connection_failed', message };
}
