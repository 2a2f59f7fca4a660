import { runReseal } from '#platform/mongo/reseal.ts';
import { sealedFields } from './store/sealed-fields.ts';

const ringName = 'CARD_ENCRYPTION_KEYS';

/** Seals anew with the first key of `CARD_ENCRYPTION_KEYS` what an older one sealed. */
export const resealMain = (env: NodeJS.ProcessEnv, print?: (line: string) => void): Promise<number> =>
  runReseal('giftcards', env, { ringName, fields: sealedFields }, print);

if (import.meta.main) process.exitCode = await resealMain(process.env);
