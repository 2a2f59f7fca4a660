import { type Connection, mongo } from 'mongoose';
import { type KeyRing, open, seal } from '#platform/encryption.ts';
import { isDuplicateKey } from '#platform/mongo/mongo.ts';
import { webhooksMax } from '../domain/errors.ts';
import type { WebhookStore } from '../domain/ports.ts';
import type { Webhook } from '../domain/webhook.ts';
import { type WebhookRow, webhookCollection } from './webhook-schema.ts';

const objectId = (id: string) => mongo.BSON.ObjectId.createFromHexString(id);
const subscriptionFields = {
  merchantId: 1,
  allPassTemplates: 1,
  allowedTemplates: 1,
  allEventTypes: 1,
  allowedEvents: 1,
} as const;

/** Endpoints in MongoDB, their secrets sealed. */
export function createWebhookStore(connection: Connection, keyRing: KeyRing): WebhookStore {
  const rows = webhookCollection(connection);
  const toWebhook = (row: WebhookRow): Webhook => {
    const { _id, merchantId, place: _place, sealedSecret, ...rest } = row;
    const id = _id.toHexString();
    return { ...rest, id, merchantId: merchantId.toHexString(), sharedSecret: open(sealedSecret, id, keyRing) };
  };
  return {
    async insert(webhook) {
      for (let attempt = 0; attempt < webhooksMax; attempt += 1) {
        const place = await freePlace(rows, objectId(webhook.merchantId));
        if (place === undefined) return false;
        try {
          await rows.insertOne({ ...toFields(webhook, keyRing), ...keyOf(webhook), place });
          return true;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
      }
      return false;
    },
    async find(merchantId, id) {
      const row = await rows.findOne({ _id: objectId(id), merchantId: objectId(merchantId) });
      return row === null ? undefined : toWebhook(row);
    },
    async list(merchantId, { offset, limit }, query) {
      // At most `webhooksMax` rows, so the substring needs no index.
      const all = await rows
        .find({ merchantId: objectId(merchantId) })
        .sort({ createdAt: -1, _id: -1 })
        .toArray();
      const wanted = query?.toLowerCase();
      const matching = wanted === undefined ? all : all.filter((row) => row.url.toLowerCase().includes(wanted));
      return { webhooks: matching.slice(offset, offset + limit).map(toWebhook), total: matching.length };
    },
    async replace(merchantId, webhook) {
      const { disabledReason, ...fields } = toFields(webhook, keyRing);
      const change =
        disabledReason === undefined
          ? { $set: fields, $unset: { disabledReason: true as const } }
          : { $set: { ...fields, disabledReason } };
      const before = { _id: objectId(webhook.id), merchantId: objectId(merchantId), revision: webhook.revision - 1 };
      return (await rows.updateOne(before, change)).matchedCount === 1;
    },
    async delete(merchantId, id) {
      const { deletedCount } = await rows.deleteOne({ _id: objectId(id), merchantId: objectId(merchantId) });
      return deletedCount === 1;
    },
    async subscriptions(merchantIds) {
      const found = await rows
        .find({ merchantId: { $in: merchantIds.map(objectId) }, enabled: true })
        .project<Pick<WebhookRow, '_id' | keyof typeof subscriptionFields>>(subscriptionFields)
        .toArray();
      return found.map(({ _id, merchantId, ...rest }) => ({
        ...rest,
        id: _id.toHexString(),
        merchantId: merchantId.toHexString(),
      }));
    },
  };
}

/** A random free place: writers at the same time seldom meet. */
async function freePlace(rows: ReturnType<typeof webhookCollection>, merchantId: mongo.BSON.ObjectId) {
  const taken = await rows.find({ merchantId }).project<{ place: number }>({ place: 1 }).toArray();
  const places = new Set(taken.map((row) => row.place));
  const free = Array.from({ length: webhooksMax }, (_, place) => place).filter((place) => !places.has(place));
  return free[Math.floor(Math.random() * free.length)];
}

function keyOf(webhook: Webhook) {
  return { _id: objectId(webhook.id), merchantId: objectId(webhook.merchantId) };
}

/** Everything but the key and the place, which never change. */
function toFields(webhook: Webhook, keyRing: KeyRing) {
  const { id, merchantId: _merchantId, sharedSecret, allowedTemplates, allowedEvents, ...rest } = webhook;
  return {
    ...rest,
    allowedTemplates: [...allowedTemplates],
    allowedEvents: [...allowedEvents],
    sealedSecret: seal(sharedSecret, id, keyRing),
  };
}
