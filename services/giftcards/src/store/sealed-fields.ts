import type { SealedField } from '#platform/mongo/reseal.ts';

/** Every field that is sealed with `CARD_ENCRYPTION_KEYS`. */
export const sealedFields: readonly SealedField[] = [{ collection: 'cards', field: 'sealedNumber' }];
