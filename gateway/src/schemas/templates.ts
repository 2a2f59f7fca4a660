import { z } from 'zod';
import { instant, recordId } from './common.ts';
import { body, id, oneOf, text } from './primitives.ts';

const passStyle = () => oneOf('generic', 'coupon', 'storeCard', 'eventTicket', 'boardingPass');

export const TemplatePath = z.object({ templateId: id('The pass template.') });

export const CreateTemplateRequest = body({
  name: text({ min: 1, max: 255, example: 'Spring coupon' }),
  passStyle: passStyle(),
}).meta({ id: 'CreateTemplateRequest' });

export const TemplateRead = z
  .strictObject({
    id: recordId(),
    merchantId: recordId(),
    name: z.string(),
    passStyle: passStyle(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'TemplateRead' });
