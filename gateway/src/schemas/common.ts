import { z } from 'zod';
import { boolean, id, integer, text } from './primitives.ts';

export const listLimitMax = 250;
const pageMax = 1_000_000;
const offsetMax = pageMax * listLimitMax;

/** The window of a list; `skip` is another name of `offset`, which wins over `page`. */
export const pagingFields = {
  page: integer({ min: 1, max: pageMax, description: 'Page number, from 1.' }).default(1),
  limit: integer({ min: 1, max: listLimitMax, description: 'Records in one answer.' }).default(listLimitMax),
  offset: integer({ min: 0, max: offsetMax, description: 'Records to leave out; wins over `page`.' }).optional(),
  skip: integer({ min: 0, max: offsetMax, description: 'Another name of `offset`.' }).optional(),
};

export const PagingQuery = z.object(pagingFields);

/** A search text. */
export const searchText = (description: string) => text({ max: 200, description }).optional();

export const queryId = (description: string) => id(description).optional();

export const queryFlag = (description: string) => boolean(description).default(false);

export const IdempotencyHeaders = z.object({
  'idempotency-key': text({
    min: 1,
    max: 255,
    pattern: /^[ -~]+$/,
    description:
      'Makes a repeat of this request harmless for 7 days: the first answer comes again, with `Idempotency-Replayed: true`.',
    example: 'till-7-2027-01-31-0042',
  }).optional(),
});

/** Stands for the body of a 204, which has none. */
export const NoContent = z.null();

/** An instant in an answer. */
export const instant = () => z.iso.datetime().meta({ format: 'date-time', examples: ['2027-01-31T12:00:00.000Z'] });

/** A record id in an answer. */
export const recordId = () =>
  z
    .string()
    .regex(/^[0-9a-f]{24}$/)
    .meta({ examples: ['66f0c2a1b4d3e5f6a7b8c9d0'] });

/** Money in an answer: decimal text with two places. */
export const money = () =>
  z
    .string()
    .regex(/^-?\d+\.\d{2}$/)
    .meta({ examples: ['25.00'] });

export const nullableText = () => z.string().nullable();

/** The answer of an operation that has nothing else to show. */
export const Confirmation = z
  .strictObject({ success: z.literal(true), message: z.string() })
  .meta({ id: 'Confirmation' });

export const ValidationErrorItem = z
  .strictObject({
    loc: z.array(z.string()).meta({ examples: [['body', 'amount']] }),
    msg: z.string().meta({ examples: ['Field required'] }),
    type: z.string().meta({ examples: ['missing'] }),
    input: z.unknown().meta({ examples: [{}] }),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationError' });

export const HttpValidationError = z
  .strictObject({ detail: z.array(ValidationErrorItem) })
  .meta({ id: 'HTTPValidationError' });

/** RFC 9457; further members depend on the code. */
export const Problem = z
  .looseObject({
    type: z.string().meta({ examples: ['about:blank'] }),
    title: z.string().meta({ examples: ['Not Found'] }),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: 'A stable word for programs.', examples: ['not_found'] }),
    requestId: z.string(),
  })
  .meta({ id: 'Problem' });
