import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fresh from 'fresh';

/** A weak tag (RFC 9110, 8.8.3): the same for a body however it is packed. */
export function entityTag(body: string | Buffer): string {
  return `W/"${hash('sha1', body, 'base64url')}"`;
}

/** Whether the client has this very body already. */
export function isKnownToClient({ headers }: IncomingMessage, etag: string): boolean {
  return headers['if-none-match'] !== undefined && fresh(headers, { etag });
}
