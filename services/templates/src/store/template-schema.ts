import { type mongo, Schema } from 'mongoose';
import type { PassStyle } from '../domain/template.ts';

export interface TemplateRow {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  name: string;
  passStyle: PassStyle;
  createdAt: Date;
  updatedAt: Date;
}

export const templateSchema = new Schema<TemplateRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    passStyle: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'templates', versionKey: false },
);
templateSchema.index({ merchantId: 1, createdAt: -1, _id: -1 });
