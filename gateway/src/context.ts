import type { ServerResponse } from 'node:http';
import { unavailable } from '#platform/errors.ts';
import type { Caller } from '#platform/grpc/caller.ts';
import type { RpcOptions } from '#platform/grpc/client.ts';
import type { CardLoader } from './card-loader.ts';
import type { Clients } from './clients.ts';
import { ClientGone } from './middleware/read-body.ts';
import type { StaticDocument } from './middleware/static-document.ts';
import type { ProgramResolver } from './program-resolver.ts';
import type { SchemaVersion } from './schemas/service.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What handlers may use; made once, in `app.ts`. */
export interface Services {
  readonly clients: Clients;
  readonly programs: ProgramResolver;
  readonly cards: CardLoader;
  readonly signingKeys: SigningKeys;
  readonly publicUrl: string;
  readonly version: string;
  isReady(): boolean;
  /** Drops a deleted key from this gateway's cache; the others hear of it over Redis. */
  forgetCredential(credentialId: string): void;
  /** The public schema, as JSON. */
  schemaDocument(version: SchemaVersion): StaticDocument;
  /** The public schema as a page. */
  docsPage(): StaticDocument;
}

/** How much time a request has; by the clock of `performance.now()`. */
export interface AnswerTime {
  /** When it will have been answered at the latest. */
  readonly dueAt: number;
  /** The least time left in which a change is begun. */
  readonly changeMsMin: number;
}

/** One request, as its handler sees it. */
export class Context {
  readonly caller: Caller;
  readonly services: Services;
  /** Path and query as the client sent them. */
  readonly url: string;
  readonly #response: ServerResponse;
  readonly #time: AnswerTime;

  constructor(caller: Caller, services: Services, url: string, response: ServerResponse, time: AnswerTime) {
    this.caller = caller;
    this.services = services;
    this.url = url;
    this.#response = response;
    this.#time = time;
  }

  /**
   * Options of a call that changes nothing: it is repeated when the service is away, and cancelled when the client
   * goes. Never of a change: a money move under way is let finish.
   */
  reading(): RpcOptions {
    const gone = new AbortController();
    if (this.#response.destroyed) gone.abort();
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) gone.abort();
    });
    return { idempotent: true, signal: gone.signal, deadlineMs: Math.max(1, this.#leftMs()) };
  }

  /**
   * Options of a change. One that is begun is let finish, and a repeat is harmless only under an idempotency key.
   * @throws {AppError} 503 when too little time is left to tell the client how it ended.
   * @throws {ClientGone} when the client has its answer already, or has gone.
   */
  changing(idempotencyKey?: string): RpcOptions {
    if (this.#response.headersSent || this.#response.destroyed) throw new ClientGone();
    const deadlineMs = this.#leftMs();
    if (deadlineMs < this.#time.changeMsMin) throw unavailable();
    return { idempotent: idempotencyKey !== undefined, deadlineMs };
  }

  #leftMs(): number {
    return Math.floor(this.#time.dueAt - performance.now());
  }
}
