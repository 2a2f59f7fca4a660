import type { mongo } from 'mongoose';
import { type Card, expirableStatuses } from '../domain/card.ts';
import type { CardFilter, CardReader, CardSecrets, Clock, PageWindow } from '../domain/ports.ts';
import { BatchLoader } from './batch-loader.ts';
import type { CardDocument } from './card-schema.ts';
import { objectId, toCard } from './documents.ts';

/** Which card has a number never changes, so it is kept; the oldest goes first. */
const resolvedMax = 100_000;

/** Reads of cards. Reads by id and by number that come at the same time share a query. */
export class CardStore implements CardReader {
  readonly #cards: mongo.Collection<CardDocument>;
  readonly #secrets: CardSecrets;
  readonly #clock: Clock;
  readonly #byId: BatchLoader<Card>;
  readonly #idByNumber: BatchLoader<string>;
  readonly #resolved = new Map<string, string>();

  constructor(cards: mongo.Collection<CardDocument>, secrets: CardSecrets, clock: Clock) {
    this.#cards = cards;
    this.#secrets = secrets;
    this.#clock = clock;
    this.#byId = new BatchLoader(async (ids) => {
      const found = await cards.find({ _id: { $in: ids.map(objectId) } }).toArray();
      return new Map(found.map((document) => [document._id.toHexString(), toCard(document)]));
    });
    this.#idByNumber = new BatchLoader(async (hashes) => {
      const query = cards.find({ numberHash: { $in: [...hashes] } }, { projection: { numberHash: 1 } });
      return new Map((await query.toArray()).map(({ numberHash, _id }) => [numberHash, _id.toHexString()]));
    });
  }

  async get(merchantId: string, cardId: string): Promise<Card | undefined> {
    const card = await this.#byId.load(cardId);
    return card?.merchantId === merchantId ? card : undefined;
  }

  async findByNumber(numberHash: string): Promise<Card | undefined> {
    const document = await this.#cards.findOne({ numberHash });
    return document === null ? undefined : toCard(document);
  }

  async resolveNumber(numberHash: string): Promise<string | undefined> {
    const known = this.#resolved.get(numberHash);
    if (known !== undefined) return known;
    const id = await this.#idByNumber.load(numberHash);
    if (id === undefined) return undefined;
    if (this.#resolved.size >= resolvedMax) this.#resolved.delete(this.#resolved.keys().next().value as string);
    this.#resolved.set(numberHash, id);
    return id;
  }

  async list(merchantId: string, filter: CardFilter, page: PageWindow): Promise<{ cards: Card[]; total: number }> {
    const query = this.#toQuery(merchantId, filter);
    const [documents, total] = await Promise.all([
      this.#cards.find(query).sort({ _id: -1 }).skip(page.offset).limit(page.limit).toArray(),
      this.#cards.countDocuments(query),
    ]);
    return { cards: documents.map(toCard), total };
  }

  #toQuery(merchantId: string, filter: CardFilter): mongo.Filter<CardDocument> {
    const all: mongo.Filter<CardDocument>[] = [];
    if (filter.cardId !== undefined) all.push({ _id: objectId(filter.cardId) });
    if (filter.status !== undefined) all.push(withStatus(filter.status, this.#clock()));
    if (filter.positiveBalance) all.push({ balanceMinor: { $gt: 0 } });
    if (filter.query !== undefined) all.push(matching(filter.query, this.#secrets));
    return {
      merchantId: objectId(merchantId),
      programId: objectId(filter.programId),
      ...(all.length === 0 ? {} : { $and: all }),
    };
  }
}

/** Cards whose status at `now` is this, as {@link settleCard} would say. */
function withStatus(status: string, now: Date): mongo.Filter<CardDocument> {
  const lifted = { status: 'suspended', suspendedUntil: { $lte: now } } as const;
  switch (status) {
    case 'expired':
      return { $or: [{ status: 'expired' }, { status: { $in: [...expirableStatuses] }, expiresAt: { $lte: now } }] };
    case 'active':
      return { expiresAt: { $gt: now }, $or: [{ status: 'active' }, lifted] };
    case 'suspended':
      return { expiresAt: { $gt: now }, status: 'suspended', $nor: [lifted] };
    case 'pending':
    case 'depleted':
      return { expiresAt: { $gt: now }, status };
    default:
      return { status: 'voided' };
  }
}

/** Cards whose number, last four digits, or beginning of e-mail or name the query gives. */
function matching(query: string, secrets: CardSecrets): mongo.Filter<CardDocument> {
  const text = query.trim().toLowerCase();
  const prefix = { $gte: text, $lt: `${text}\uffff` };
  return {
    $or: [
      { numberHash: secrets.hashNumber(text) },
      { lastFourDigits: text },
      { customerEmailLower: prefix },
      { customerNameLower: prefix },
    ],
  };
}
