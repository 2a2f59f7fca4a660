import { type Connection, type mongo, Schema } from 'mongoose';
import type { DisabledReason } from '../domain/webhook.ts';

/** An endpoint as stored. */
export interface WebhookRow {
  _id: mongo.BSON.ObjectId;
  merchantId: mongo.BSON.ObjectId;
  /** From 0 below the most endpoints a merchant may have; unique within the merchant, so that races cannot pass the limit. */
  place: number;
  url: string;
  /** AES-256-GCM, bound to this record's id. */
  sealedSecret: string;
  enabled: boolean;
  disabledReason?: DisabledReason;
  allPassTemplates: boolean;
  allowedTemplates: string[];
  allEventTypes: boolean;
  allowedEvents: string[];
  createdAt: Date;
  updatedAt: Date;
  revision: number;
}

const schema = new Schema<WebhookRow>(
  {
    merchantId: { type: Schema.Types.ObjectId, required: true },
    place: { type: Number, required: true },
    url: { type: String, required: true },
    sealedSecret: { type: String, required: true },
    enabled: { type: Boolean, required: true },
    disabledReason: String,
    allPassTemplates: { type: Boolean, required: true },
    allowedTemplates: [String],
    allEventTypes: { type: Boolean, required: true },
    allowedEvents: [String],
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    revision: { type: Number, required: true },
  },
  { versionKey: false, collection: 'webhooks' },
);
schema.index({ merchantId: 1, place: 1 }, { unique: true });

/** Registers the model, for its indexes, and gives the collection. */
export function webhookCollection(connection: Connection) {
  connection.model<WebhookRow>('Webhook', schema);
  return connection.collection<WebhookRow>('webhooks');
}
