import type { SealedField } from '#platform/mongo/reseal.ts';

/** Every field that is sealed with `IDENTITY_ENCRYPTION_KEYS`. */
export const sealedFields: readonly SealedField[] = [
  { collection: 'mfa', field: 'sealedSeed' },
  { collection: 'mails', field: 'sealed' },
];
