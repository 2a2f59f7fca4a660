import type { z } from 'zod';
import type { Template } from '#proto/templates/v1/templates.ts';
import type { TemplateRead } from '../../schemas/templates.ts';
import { isoAlways } from '../render.ts';

export function renderTemplate(template: Template): z.input<typeof TemplateRead> {
  return {
    id: template.id,
    merchantId: template.merchantId,
    name: template.name,
    passStyle: template.passStyle as z.input<typeof TemplateRead>['passStyle'],
    createdAt: isoAlways(template.createdAt, 'createdAt'),
    updatedAt: isoAlways(template.updatedAt, 'updatedAt'),
  };
}
