import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuerystring } from 'node:querystring';
import { unprocessable } from '#platform/errors.ts';
import { refusals } from '../errors.ts';
import { ExactNumber } from '../validation/decimal.ts';
import { findTooDeep, jsonDepthMax } from '../validation/json-depth.ts';
import { findJsonFault } from '../validation/json-fault.ts';

export const bodyBytesMax = 1024 * 1024;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export type BodyType = 'json' | 'form';

const mediaTypes: Readonly<Record<BodyType, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
};

/** Stands for "no body was sent". */
export const noBody = Symbol('no body');

/**
 * Reads and parses a request's body.
 * @returns {@link noBody} when none was sent.
 * @throws 413 over 1 MiB, 415 for another media type or an encoded body, 422 `json_invalid`.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  accepted: readonly BodyType[],
): Promise<unknown> {
  const { headers } = request;
  const declared = headers['content-length'];
  if (declared === undefined ? headers['transfer-encoding'] === undefined : declared === '0') return noBody;
  const type = typeOf(headers['content-type']);
  if (type === undefined || !accepted.includes(type) || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    const refusal = refusals.unsupportedMediaType(accepted.map((name) => mediaTypes[name]));
    // One that asks first, or tells a length, has a body. Of chunks only their end tells whether they held anything.
    if (declared !== undefined || headers.expect !== undefined) throw refusal;
    await collect(request, 0, () => refusal).finally(() => request.resume());
    return noBody;
  }
  if (Number(declared ?? 0) > bodyBytesMax) throw refusals.payloadTooLarge(bodyBytesMax);
  // A client that asks first is told to go on only when its body will be read.
  if (headers.expect !== undefined) response.writeContinue();
  const bytes = await collect(request, bodyBytesMax, refusals.payloadTooLarge);
  if (bytes.length === 0) return noBody;
  return type === 'form' ? readFields(bytes.toString()) : parseJson(bytes);
}

/** Reads a query or form; of a name that is given more than once the last counts, unless it is `repeatable`. */
export function readFields(text: string, repeatable: readonly string[] = []): Record<string, string | string[]> {
  const fields = Object.entries(parseQuerystring(text)).map(([name, value = '']): [string, string | string[]] => {
    if (repeatable.includes(name)) return [name, [value].flat()];
    return [name, Array.isArray(value) ? (value.at(-1) ?? '') : value];
  });
  return Object.fromEntries(fields);
}

function typeOf(contentType: string | undefined): BodyType | undefined {
  if (contentType === mediaTypes.json) return 'json';
  const essence = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (essence === mediaTypes.json || /^application\/[\w.-]+\+json$/.test(essence)) return 'json';
  return essence === mediaTypes.form ? 'form' : undefined;
}

async function collect(
  request: IncomingMessage,
  bytesMax: number,
  refusalOf: (bytesMax: number) => Error,
): Promise<Buffer> {
  // A stream that is over already tells nobody of it again.
  if (request.destroyed || request.readableEnded) throw new ClientGone();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) {
        request.removeAllListeners('data').pause();
        reject(refusalOf(bytesMax));
      } else chunks.push(chunk);
    });
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new ClientGone());
    });
  });
}

/** The client went away in mid-request; there is nobody to answer. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidJson(0, 'Invalid UTF-8');
  // A byte order mark may be ignored (RFC 8259, 8.1).
  const text = bytes.toString('utf8', bytes.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark.length : 0);
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) throw invalidJson(tooDeep, `Nested deeper than ${jsonDepthMax} levels`);
  try {
    const value: unknown = JSON.parse(text);
    return longNumber.test(text) ? JSON.parse(text, keepDigits) : value;
  } catch {
    const { position, error } = findJsonFault(text);
    throw invalidJson(position, error);
  }
}

// More digits than a double holds; a string that looks so is read twice, with the same result.
const longNumber = /[:[,]\s*-?[\d.eE+-]{16,}/;
const digitsExact = 15;

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return context.source.replace(/\D/g, '').length > digitsExact ? new ExactNumber(context.source) : value;
}

function invalidJson(position: number, error: string) {
  return unprocessable([
    { type: 'json_invalid', loc: ['body', String(position)], msg: 'JSON decode error', input: {}, ctx: { error } },
  ]);
}
