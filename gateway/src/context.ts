import type { ServerResponse } from 'node:http';
import type { Caller } from '#platform/caller.ts';
import type { RpcOptions } from '#platform/grpc-client.ts';
import type { CardLoader } from './card-loader.ts';
import type { Clients } from './clients.ts';
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

/** One request, as its handler sees it. */
export class Context {
  readonly caller: Caller;
  readonly services: Services;
  /** Path and query as the client sent them. */
  readonly url: string;
  readonly #response: ServerResponse;

  constructor(caller: Caller, services: Services, url: string, response: ServerResponse) {
    this.caller = caller;
    this.services = services;
    this.url = url;
    this.#response = response;
  }

  /**
   * Options of a call that changes nothing: it is repeated when the service is away, and cancelled when the client
   * goes. Never of a change: a money move under way is let finish.
   */
  reading(): RpcOptions {
    const gone = new AbortController();
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) gone.abort();
    });
    return { idempotent: true, signal: gone.signal };
  }
}

/** Options of a money move: a repeat is harmless only under an idempotency key. */
export function moving(idempotencyKey: string | undefined): RpcOptions {
  return { idempotent: idempotencyKey !== undefined };
}
