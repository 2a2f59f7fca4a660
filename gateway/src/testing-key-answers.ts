import type { Handlers } from '#platform/grpc/server.ts';
import type { ApiKey, AppKey, IdentityServiceServer } from '#proto/identity/v1/identity.ts';

type Rpcs = Handlers<IdentityServiceServer>;

const at = new Date('2026-11-21T10:00:00.123Z');
const later = new Date('2027-11-21T10:00:00.000Z');

const appKey: AppKey = { id: 'e00000000000000000000001', name: 'till', createdAt: at };
const key: ApiKey = {
  ...appKey,
  prefix: 'tc_live_abcd',
  scopes: ['giftcards:read'],
  fullAccess: false,
  expiresAt: later,
  sandbox: false,
  frozen: false,
  frozenAt: undefined,
  rotatedAt: undefined,
  previousExpiresAt: undefined,
  lastUsedAt: at,
};
const limits = { perMinute: 60, perHour: 1_000, perMonth: 10_000n };

/** How identity answers of keys and plans when all goes well. */
export const keyAnswers: Pick<
  Rpcs,
  | 'createAppKey'
  | 'listAppKeys'
  | 'deleteAppKey'
  | 'createKey'
  | 'listKeys'
  | 'deleteKey'
  | 'rotateKey'
  | 'freezeKey'
  | 'unfreezeKey'
  | 'getKeyUsage'
  | 'setMerchantPlan'
  | 'getMerchantPlan'
> = {
  createAppKey: async () => ({ ...appKey, token: 'jwt' }),
  listAppKeys: async () => ({ appKeys: [appKey], total: 1n }),
  deleteAppKey: async () => ({}),
  createKey: async () => ({ ...key, secret: 'tc_live_abcdefgh' }),
  listKeys: async () => ({ keys: [key], total: 1n }),
  deleteKey: async () => ({}),
  rotateKey: async () => ({ ...key, rotatedAt: at, previousExpiresAt: later, secret: 'tc_live_abcdefgh' }),
  freezeKey: async () => ({ ...key, frozen: true, frozenAt: at }),
  unfreezeKey: async () => key,
  getKeyUsage: async () => ({ plan: 'free', limits, months: [{ month: '2026-11', calls: 42n }] }),
  setMerchantPlan: async ({ merchantId, plan }) => ({ merchantId, plan, limits: { ...limits, perMonth: undefined } }),
  getMerchantPlan: async ({ merchantId }) => ({ merchantId, plan: 'free', limits }),
};
