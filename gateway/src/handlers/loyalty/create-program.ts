import type { Handler } from '../../routes/route.ts';
import {
  bulkThresholdDefault,
  CreateProgramRequest,
  expiryDaysDefault,
  type ProgramRead,
} from '../../schemas/loyalty.ts';
import { renderProgram } from './program-view.ts';

export const createProgramShapes = { body: CreateProgramRequest };

/** Makes a program. */
export const createProgram: Handler<typeof createProgramShapes, typeof ProgramRead> = async ({ body }, context) => {
  const giftCard = body.giftCard ?? { expiryDays: expiryDaysDefault, bulkThreshold: bulkThresholdDefault };
  const program = await context.services.clients.loyalty.createProgram(
    { ...body, giftCard },
    context.caller,
    context.changing(),
  );
  return { body: renderProgram(program, context) };
};
