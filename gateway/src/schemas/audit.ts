import { z } from 'zod';
import { instant, nullableText, recordId } from './common.ts';
import { dateTime, id, integer, list, text } from './primitives.ts';

const pageMax = 100_000;
const wordsMax = 50;

const word = (example: string) => text({ pattern: /^[a-z][a-z0-9_]{0,63}$/, example });
const partOfName = (whose: string) =>
  text({ min: 1, max: 200, description: `A part of ${whose}, in any case.` }).optional();

export const AuditLogsQuery = z.object({
  merchantId: id("The caller's own merchant, which is the default.").optional(),
  subjectId: text({ min: 1, max: 200, description: 'Whom the entries concern.' }).optional(),
  actorId: text({
    min: 1,
    max: 200,
    description: 'Who did it: the id of a user, an app key or an API key.',
  }).optional(),
  subjectName: partOfName("the subject's name"),
  actorName: partOfName("the actor's name or e-mail address"),
  merchantName: partOfName("the merchant's name"),
  action: list(word('gift_card_transferred'), { max: wordsMax })
    .describe('Any of these actions; may be repeated.')
    .optional(),
  resourceType: list(word('gift_card'), { max: wordsMax })
    .describe('Any of these types of record; may be repeated.')
    .optional(),
  from: dateTime().optional(),
  to: dateTime().optional(),
  page: integer({ min: 1, max: pageMax, description: 'Page number, from 1.' }).default(1),
  limit: integer({ min: 1, max: 200, description: 'Entries in one answer.' }).default(50),
});

const AuditLogResponse = z
  .strictObject({
    id: recordId(),
    action: z.string().meta({ examples: ['gift_card_transferred'] }),
    resourceType: z.string().meta({ examples: ['gift_card'] }),
    resourceId: nullableText(),
    actorId: nullableText(),
    actorType: z.string().meta({
      description: '`user`, `app_key`, `api_key`, `anonymous`, `operator`, `system` or `unknown`.',
      examples: ['api_key'],
    }),
    subjectId: nullableText(),
    merchantId: nullableText(),
    ipAddress: nullableText(),
    userAgent: nullableText(),
    requestId: nullableText(),
    details: z.record(z.string(), z.unknown()).nullable(),
    timestamp: instant(),
    actorName: nullableText(),
    subjectName: nullableText(),
    merchantName: nullableText(),
    resourceName: nullableText(),
  })
  .meta({ id: 'AuditLogResponse' });

export const AuditLogPage = z
  .strictObject({
    items: z.array(AuditLogResponse),
    total: z.int().meta({ description: 'Of the newest 100,000 entries of the period.' }),
    page: z.int(),
    pages: z.int(),
    limit: z.int(),
  })
  .meta({ id: 'AuditLogPage' });
