import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import Negotiator from 'negotiator';

/** A content coding (RFC 9110, 8.4.1) that answers are sent in. */
export type Coding = 'br' | 'gzip';

/** Below this a packet is sent all the same, and packing it gains nothing. */
export const compressedBytesMin = 1_024;
/** Beyond these an answer goes out as it is: zlib's threads also hash passwords and look up names. */
const compressionsMax = 8;
// On a list of 250 cards these take less than a millisecond; a step up costs twice that for a twentieth less.
const brotliQuality = 4;
const gzipLevel = 4;
// What never changes is packed once, so thoroughly.
const documentBrotliQuality = 9;
const documentGzipLevel = 9;
/** 256 KiB: bounds what one compression holds, and spans the answers there are. */
const windowBits = 18;

const deflateBrotli = promisify(brotliCompress);
const deflateGzip = promisify(gzip);

/** The types know nothing yet of the order for codings that the client likes equally. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** The coding that a client likes best by its Accept-Encoding; undefined: as it is. Brotli where it has no preference. */
export function codingFor(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const coding = negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  return coding === 'br' || coding === 'gzip' ? coding : undefined;
}

/** Packs answers off the main thread, a bounded number at a time. */
export class Compressor {
  #running = 0;

  /** @returns undefined when as many are under way as may be. */
  async compress(body: Buffer, coding: Coding): Promise<Buffer | undefined> {
    if (this.#running >= compressionsMax) return undefined;
    this.#running += 1;
    try {
      return await pack(body, coding, coding === 'br' ? brotliQuality : gzipLevel);
    } finally {
      this.#running -= 1;
    }
  }
}

/** Packs what is sent again and again. */
export function compressDocument(body: Buffer, coding: Coding): Promise<Buffer> {
  return pack(body, coding, coding === 'br' ? documentBrotliQuality : documentGzipLevel);
}

function pack(body: Buffer, coding: Coding, level: number): Promise<Buffer> {
  if (coding === 'gzip') return deflateGzip(body, { level });
  const params = {
    [zlib.BROTLI_PARAM_QUALITY]: level,
    [zlib.BROTLI_PARAM_LGWIN]: windowBits,
    [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
    [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
  };
  return deflateBrotli(body, { params });
}
