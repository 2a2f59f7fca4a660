import { z } from 'zod';
import { listLanguages, listLanguagesShapes } from '../handlers/localization/list-languages.ts';
import { LanguageRead } from '../schemas/localization.ts';
import { type Route, route } from './route.ts';

export const localizationRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v2/localization/languages',
    operationId: 'listLanguages',
    tag: 'Localization',
    summary: 'List languages',
    auth: 'bearer',
    scope: 'loyalty:read',
    public: true,
    request: listLanguagesShapes,
    success: {
      status: 200,
      schema: z.array(LanguageRead),
      description: 'The languages, in the alphabetical order of the language of the answer.',
      headers: ['Content-Language', 'Vary'],
    },
    errors: [],
    handler: listLanguages,
  }),
];
