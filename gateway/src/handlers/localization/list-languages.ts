import type { z } from 'zod';
import { languagesIn } from '../../localization/list-languages.ts';
import { negotiateLanguage } from '../../localization/negotiate-language.ts';
import type { Handler } from '../../routes/route.ts';
import { LanguageHeaders, type LanguageRead } from '../../schemas/localization.ts';

export const listLanguagesShapes = { headers: LanguageHeaders };

/** The languages there are, named in the one that the client asks for. */
export const listLanguages: Handler<typeof listLanguagesShapes, z.ZodArray<typeof LanguageRead>> = async ({
  headers,
}) => {
  const code = negotiateLanguage(headers['accept-language']);
  return { body: [...languagesIn(code)], headers: { 'Content-Language': code, Vary: 'Accept-Language' } };
};
