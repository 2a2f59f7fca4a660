import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#platform/errors.ts';
import { HttpRefusal } from '../errors.ts';
import { Compressor, codingFor, compressedBytesMin } from './compressor.ts';
import { type CorsOrigins, CorsPolicy } from './cors.ts';
import { entityTag, isKnownToClient } from './entity-tag.ts';
import { endLingering, isStillSending } from './lingering-close.ts';
import { renderError } from './problem.ts';
import { securityHeaders } from './security-headers.ts';
import type { StaticDocument } from './static-document.ts';

/** What an answer carries besides its body. */
export type Headers = Readonly<Record<string, string>>;

/** An answer that is whole. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** They win over the usual ones, but `Vary` adds to them. */
  readonly headers?: Headers | undefined;
}

type Response = ServerResponse<IncomingMessage>;

const neverStored = { 'Cache-Control': 'no-store' } as const;
/** A client may keep it, and must ask each time whether it still holds. */
const alwaysRevalidated = { 'Cache-Control': 'private, no-cache' } as const;

/** Sends answers: with the headers that all of them carry, and as the client can read them. */
export class Responder {
  readonly #cors: CorsPolicy;
  readonly #compressor = new Compressor();
  /** Of an answer that is the same for all codings; empty when it does not vary. */
  readonly #vary: string;
  readonly #packedVary: string;
  #closing = false;

  constructor(corsOrigins: CorsOrigins) {
    this.#cors = new CorsPolicy(corsOrigins);
    this.#vary = this.#cors.variesByOrigin ? 'Origin' : '';
    this.#packedVary = joined('Accept-Encoding', this.#vary);
  }

  /** From now on every answer ends its connection. */
  closeConnections(): void {
    this.#closing = true;
  }

  /** Sends an answer that no cache keeps. */
  send(response: Response, requestId: string, { status, contentType, body, headers }: Reply): void {
    const all: Record<string, string | number> = {
      ...this.#headers(response, requestId, neverStored),
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    };
    addVary(all, this.#vary, headers);
    response.writeHead(status, all);
    const isLast = all.Connection === 'close' || !response.shouldKeepAlive;
    if (isLast && isStillSending(response.req)) endLingering(response, body);
    else response.end(body);
  }

  /** Sends a 204. */
  sendNothing(response: Response, requestId: string, given?: Headers): void {
    const headers = { ...this.#headers(response, requestId, neverStored), ...given };
    addVary(headers, this.#vary, given);
    response.writeHead(204, headers).end();
  }

  /** Sends the answer of a GET that the client may keep: with a tag, packed when that pays, or 304 when it has it. */
  sendStorable(response: Response, requestId: string, reply: Reply): void | Promise<void> {
    const bytes = Buffer.from(reply.body);
    const etag = entityTag(bytes);
    const headers = this.#storableHeaders(response, requestId, etag, reply.headers);
    if (isKnownToClient(response.req, etag)) return sendNotModified(response, headers);
    headers['Content-Type'] = reply.contentType;
    const coding =
      bytes.length < compressedBytesMin ? undefined : codingFor(response.req.headers['accept-encoding'] as string);
    if (coding === undefined) return sendBytes(response, reply.status, headers, bytes);
    return this.#compressor.compress(bytes, coding).then((packed) => {
      if (packed !== undefined) headers['Content-Encoding'] = coding;
      sendBytes(response, reply.status, headers, packed ?? bytes);
    });
  }

  /** Sends what never changes. */
  async sendDocument(response: Response, requestId: string, document: StaticDocument, given?: Headers): Promise<void> {
    const headers = this.#storableHeaders(response, requestId, document.etag, given);
    if (isKnownToClient(response.req, document.etag)) return sendNotModified(response, headers);
    headers['Content-Type'] = document.contentType;
    const coding = codingFor(response.req.headers['accept-encoding'] as string);
    const body = coding === undefined ? document.bytes : await document.packed(coding);
    if (coding !== undefined) headers['Content-Encoding'] = coding;
    sendBytes(response, 200, headers, body);
  }

  /** Answers an error, as {@link renderError} renders it. */
  sendError(response: Response, requestId: string, error: unknown, headers?: Headers): void {
    const { status, contentType, body, headers: own } = renderError(error, requestId);
    this.send(response, requestId, {
      status,
      contentType,
      body: JSON.stringify(body),
      headers: { ...headers, ...own },
    });
  }

  /** Answers OPTIONS, a preflight too. `allow` are the methods that the address takes. */
  sendOptions(response: Response, requestId: string, allow: string): void {
    const headers: Record<string, string> = {
      ...this.#headers(response, requestId, neverStored),
      ...this.#cors.preflightHeaders(response.req.headers, allow),
      Allow: allow,
    };
    addVary(headers, this.#vary);
    response.writeHead(204, headers).end();
  }

  #headers(response: Response, requestId: string, caching: Headers): Record<string, string> {
    return {
      ...securityHeaders,
      ...caching,
      'X-Request-Id': requestId,
      ...this.#cors.headersFor(response.req.headers),
      ...(this.#closing && { Connection: 'close' }),
    };
  }

  #storableHeaders(response: Response, requestId: string, etag: string, given?: Headers) {
    const headers: Record<string, string | number> = {
      ...this.#headers(response, requestId, alwaysRevalidated),
      ...given,
      ETag: etag,
    };
    addVary(headers, this.#packedVary, given);
    return headers;
  }
}

type MutableHeaders = Record<string, string | number>;

function sendBytes(response: Response, status: number, headers: MutableHeaders, body: Buffer): void {
  // Another answer went out in its place while it was packed.
  if (response.headersSent) return;
  headers['Content-Length'] = body.length;
  response.writeHead(status, headers);
  response.end(body);
}

function sendNotModified(response: Response, headers: MutableHeaders): void {
  response.writeHead(304, headers).end();
}

function addVary(headers: MutableHeaders, usual: string, given?: Headers): void {
  const vary = joined(usual, given?.Vary ?? '');
  if (vary !== '') headers.Vary = vary;
}

const joined = (first: string, second: string): string =>
  first === '' || second === '' ? first + second : `${first}, ${second}`;

/** Whether an error is a refusal that the caller may know of. */
export const isRefusal = (error: unknown): error is AppError | HttpRefusal =>
  error instanceof AppError || error instanceof HttpRefusal;
