import { type Coding, compressDocument } from './compressor.ts';
import { entityTag } from './entity-tag.ts';

/** A text that is the same for as long as the process lives: hashed once, and packed once in each coding. */
export class StaticDocument {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly etag: string;
  readonly #packed = new Map<Coding, Promise<Buffer>>();

  constructor(text: string, contentType: string) {
    this.bytes = Buffer.from(text);
    this.contentType = contentType;
    this.etag = entityTag(this.bytes);
  }

  /** Packs it when it is first asked for in a coding. */
  packed(coding: Coding): Promise<Buffer> {
    const known = this.#packed.get(coding) ?? compressDocument(this.bytes, coding);
    this.#packed.set(coding, known);
    return known;
  }
}
