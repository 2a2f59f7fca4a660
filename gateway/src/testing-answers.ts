import type { Handlers } from '#platform/grpc/server.ts';
import type { Card, GiftCardsServiceServer, Transaction } from '#proto/giftcards/v1/giftcards.ts';
import type { AuditLog, IdentityServiceServer, TokenPair, User } from '#proto/identity/v1/identity.ts';
import type { LoyaltyServiceServer } from '#proto/loyalty/v1/loyalty.ts';
import type { Template, TemplatesServiceServer } from '#proto/templates/v1/templates.ts';
import type { Webhook, WebhooksServiceServer } from '#proto/webhooks/v1/webhooks.ts';
import { keyAnswers } from './testing-key-answers.ts';
import { loyaltyAnswers } from './testing-loyalty-answers.ts';

/** Every RPC of every service. */
export type Rpcs = Handlers<IdentityServiceServer> &
  Handlers<LoyaltyServiceServer> &
  Handlers<TemplatesServiceServer> &
  Handlers<GiftCardsServiceServer> &
  Handlers<WebhooksServiceServer>;

export const ids = {
  merchant: 'a00000000000000000000001',
  rival: 'a00000000000000000000002',
  program: 'b00000000000000000000001',
  card: 'c00000000000000000000001',
  otherCard: 'c00000000000000000000002',
  transaction: 'd00000000000000000000001',
  record: 'e00000000000000000000001',
} as const;

const at = new Date('2026-11-21T10:00:00.123Z');
const later = new Date('2027-11-21T10:00:00.000Z');

export const fakeCard: Card = {
  id: 'c00000000000000000000001',
  cardNumber: '6034930000000017',
  balanceMinor: 1234n,
  initialValueMinor: 5000n,
  currency: 'GBP',
  status: 'active',
  createdAt: at,
  updatedAt: at,
  activatedAt: undefined,
  expiresAt: later,
  suspendedUntil: undefined,
  suspendedAt: undefined,
  customerEmail: 'ada@example.com',
  merchantId: 'a00000000000000000000001',
  isPhysical: false,
  lastFourDigits: '0017',
  programId: 'b00000000000000000000001',
  merchantName: 'Corner Coffee',
  deliverAt: undefined,
  delivered: false,
};

export const fakeTransaction: Transaction = {
  id: 'd00000000000000000000001',
  transactionType: 'REDEMPTION',
  amountMinor: -250n,
  balanceBeforeMinor: 1484n,
  balanceAfterMinor: 1234n,
  currency: 'GBP',
  createdAt: at,
  merchantId: 'a00000000000000000000001',
  cashierId: 'till-7',
};

const user: User = {
  id: 'a00000000000000000000001',
  email: 'ada@example.com',
  name: 'Ada',
  emailVerified: at,
  active: true,
  admin: false,
};
const pair: TokenPair = { accessToken: 'access', expiresInSeconds: 900, refreshToken: 'refresh' };
const auditLog: AuditLog = {
  id: 'e00000000000000000000001',
  action: 'gift_card_transferred',
  resourceType: 'gift_card',
  resourceId: 'c00000000000000000000001',
  resourceName: '**** 0017',
  actorId: 'e00000000000000000000001',
  actorType: 'api_key',
  merchantId: 'a00000000000000000000001',
  ipAddress: '203.0.113.7',
  requestId: 'till-7',
  detailsJson: '{"amount":"2.34"}',
  timestamp: at,
};
const template: Template = {
  id: 'e00000000000000000000001',
  merchantId: 'a00000000000000000000001',
  name: 'Spring',
  passStyle: 'coupon',
  createdAt: at,
  updatedAt: at,
};
const webhook: Webhook = {
  id: 'e00000000000000000000001',
  url: 'https://shop.example.com/hook',
  sharedSecret: 'whsec_abcdefgh',
  enabled: false,
  allPassTemplates: true,
  allowedTemplates: [],
  allEventTypes: true,
  allowedEvents: [],
  createdAt: at,
  updatedAt: at,
};
const change = {
  transactionId: 'd00000000000000000000001',
  cardId: fakeCard.id,
  amountMinor: 250n,
  balanceMinor: 1234n,
  currency: 'GBP',
  status: 'active',
  replayed: false,
};

/** How the services answer when all goes well. */
export const fakeAnswers = (): Omit<Rpcs, 'authenticate' | 'provisionMerchant'> => ({
  logIn: async () => pair,
  refreshToken: async () => pair,
  logOut: async () => ({ sessionId: ids.record }),
  getUser: async () => user,
  ...keyAnswers,
  listAuditLogs: async () => ({ items: [auditLog], total: 1n }),
  enableMfa: async () => ({ secret: 'JBSWY3DPEHPK3PXP', otpauthUrl: 'otpauth://totp/Tallycard:ada' }),
  verifyMfa: async () => ({ codes: ['0123-4567-89ab-cdef'] }),
  disableMfa: async () => ({}),
  resetMfa: async ({ userId }) => ({ ...user, id: userId }),
  createPendingSignup: async () => ({ pendingId: ids.record, resumed: false }),
  verifySignup: async ({ pendingId }) => ({ ...user, id: pendingId }),
  findUser: async () => user,
  setUserActive: async ({ userId, active }) => ({ ...user, id: userId, active }),
  getSigningKeys: async () => ({ keys: [{ kid: 'k1', x: 'AAAA' }] }),
  ...loyaltyAnswers,
  createTemplate: async () => template,
  listTemplates: async () => ({ templates: [template], total: 1 }),
  getTemplate: async () => template,
  deleteTemplate: async () => ({}),
  issueCard: async () => ({ card: { ...fakeCard, status: 'pending' }, securityCode: '123456', replayed: false }),
  listCards: async () => ({ cards: [fakeCard], total: 1 }),
  getCards: async ({ cardIds }) => ({ cards: cardIds.map((id) => ({ ...fakeCard, id })) }),
  lookUpCard: async () => ({ card: fakeCard }),
  getCard: async ({ includeTransactions }) => ({
    card: fakeCard,
    transactions: includeTransactions ? [fakeTransaction] : [],
  }),
  activateCard: async () => ({ card: fakeCard, replayed: false }),
  reloadCard: async () => ({ card: fakeCard, replayed: false }),
  redeemCard: async () => change,
  refundTransaction: async () => change,
  suspendCard: async () => ({ card: { ...fakeCard, status: 'suspended' }, replayed: false }),
  unsuspendCard: async () => ({ card: fakeCard, replayed: false }),
  voidCard: async () => change,
  transferBalance: async () => ({
    transferId: 'd00000000000000000000009',
    sourceCardId: fakeCard.id,
    sourceCardNumber: fakeCard.cardNumber,
    sourceBalanceMinor: 1000n,
    sourceStatus: 'active',
    destinationCardId: 'c00000000000000000000002',
    destinationCardNumber: '6034930000000025',
    destinationBalanceMinor: 234n,
    amountMinor: 234n,
    currency: 'GBP',
    replayed: false,
  }),
  listTransactions: async () => ({ transactions: [fakeTransaction], total: 1 }),
  checkBalance: async () => ({
    cardId: fakeCard.id,
    programId: fakeCard.programId,
    lastFourDigits: '0017',
    balanceMinor: 1234n,
    currency: 'GBP',
    status: 'active',
    expiresAt: later,
    isActive: true,
  }),
  createWebhook: async () => webhook,
  listWebhooks: async () => ({ webhooks: [webhook], total: 1 }),
  getWebhook: async () => webhook,
  updateWebhook: async () => webhook,
  enableWebhook: async () => ({ ...webhook, enabled: true }),
  disableWebhook: async () => webhook,
  deleteWebhook: async () => ({}),
});
