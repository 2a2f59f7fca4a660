import { z } from 'zod';
import { createProgram, createProgramShapes } from '../handlers/loyalty/create-program.ts';
import { getProgram, getProgramShapes } from '../handlers/loyalty/get-program.ts';
import { listPrograms, listProgramsShapes } from '../handlers/loyalty/list-programs.ts';
import { BasicProgramRead, ProgramRead } from '../schemas/loyalty.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Loyalty', auth: 'bearer', public: true } as const;

export const loyaltyRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'post',
    path: '/v2/loyalty/programs',
    operationId: 'createProgram',
    summary: 'Make a program',
    scope: 'loyalty:write',
    request: createProgramShapes,
    success: { status: 201, schema: ProgramRead, description: 'The program.' },
    errors: ['program_limit_reached'],
    handler: createProgram,
  }),
  route({
    ...common,
    method: 'get',
    path: '/v2/loyalty/programs',
    operationId: 'listPrograms',
    summary: 'List programs',
    scope: 'loyalty:read',
    request: listProgramsShapes,
    success: {
      status: 200,
      schema: z.array(BasicProgramRead),
      description: 'The programs, in short.',
      headers: ['X-Total-Count', 'Link'],
    },
    errors: [],
    handler: listPrograms,
  }),
  route({
    ...common,
    method: 'get',
    path: '/v2/loyalty/programs/:programId',
    operationId: 'getProgram',
    summary: 'Get a program',
    scope: 'loyalty:read',
    request: getProgramShapes,
    success: { status: 200, schema: ProgramRead, description: 'The program.' },
    errors: ['not_found'],
    handler: getProgram,
  }),
];
