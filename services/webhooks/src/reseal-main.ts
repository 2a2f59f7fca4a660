import { runReseal } from '#platform/mongo/reseal.ts';
import { sealedFields } from './store/sealed-fields.ts';

const ringName = 'WEBHOOK_ENCRYPTION_KEYS';

/** Seals anew with the first key of `WEBHOOK_ENCRYPTION_KEYS` what an older one sealed. */
export const resealMain = (env: NodeJS.ProcessEnv, print?: (line: string) => void): Promise<number> =>
  runReseal('webhooks', env, { ringName, fields: sealedFields }, print);

if (import.meta.main) process.exitCode = await resealMain(process.env);
