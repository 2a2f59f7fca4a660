import type { SealedField } from '#platform/mongo/reseal.ts';

/** Every field that is sealed with `WEBHOOK_ENCRYPTION_KEYS`. */
export const sealedFields: readonly SealedField[] = [{ collection: 'webhooks', field: 'sealedSecret' }];
