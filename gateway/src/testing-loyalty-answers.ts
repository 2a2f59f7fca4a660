import type { Handlers } from '#platform/grpc/server.ts';
import type { LoyaltyServiceServer, Program, Rule } from '#proto/loyalty/v1/loyalty.ts';

const at = new Date('2026-11-21T10:00:00.123Z');

const program: Program = {
  id: 'b00000000000000000000001',
  merchantId: 'a00000000000000000000001',
  name: 'Club',
  type: 'LOYALTY',
  currency: 'GBP',
  giftCard: { expiryDays: 365, bulkThreshold: 50 },
  createdAt: at,
  updatedAt: at,
};
const rule: Rule = {
  id: 'e00000000000000000000001',
  merchantId: 'a00000000000000000000001',
  programId: 'b00000000000000000000001',
  settings: {
    name: 'Double points on coffee',
    enabled: true,
    trigger: 'transaction.recorded',
    conditions: [
      { field: 'transaction.amount', operator: 'gte', number: 500n, words: [] },
      { field: 'customer.points', operator: 'lt', number: 500n, words: [] },
      { field: 'transaction.category', operator: 'in', words: ['coffee'] },
    ],
    actions: [{ type: 'multiply_points', multiplierHundredths: 150 }],
    startsAt: at,
    endsAt: undefined,
    priority: 10,
  },
  createdAt: at,
  updatedAt: at,
};

/** How loyalty answers when all goes well. */
export const loyaltyAnswers: Handlers<LoyaltyServiceServer> = {
  createProgram: async () => program,
  listPrograms: async () => ({ programs: [program], total: 1 }),
  getProgram: async () => program,
  resolveProgram: async ({ id }) => ({
    id,
    merchantId: 'a00000000000000000000001',
    name: 'Club',
    currency: 'GBP',
    merchantName: 'Corner Coffee',
    cardExpiryDays: 365,
    bulkThreshold: 50,
  }),
  createRule: async () => rule,
  listRules: async () => ({ rules: [rule], total: 1 }),
  updateRule: async () => rule,
  deleteRule: async () => ({}),
};
