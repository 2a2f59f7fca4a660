import type { SealedField } from '#platform/reseal.ts';

/** Every field that is sealed with `CARD_ENCRYPTION_KEYS`. */
export const sealedFields: readonly SealedField[] = [{ collection: 'cards', field: 'sealedNumber' }];
