import { z } from 'zod';
import { text } from './primitives.ts';

export const LanguageHeaders = z.object({
  'accept-language': text({
    max: 200,
    description: 'Languages for the names, best first or with q values (RFC 9110); English when none is known.',
    example: 'de-CH, fr;q=0.8, *;q=0.1',
  }).optional(),
});

export const LanguageRead = z
  .strictObject({
    code: z.string().meta({ description: 'BCP 47.', examples: ['de'] }),
    name: z.string().meta({ description: 'In the language of the answer.', examples: ['German'] }),
    flag: z.string().meta({ description: 'An emoji.', examples: ['🇩🇪'] }),
    nativeName: z.string().meta({ examples: ['Deutsch'] }),
  })
  .meta({ id: 'Language' });
