import { STATUS_CODES } from 'node:http';
import type { Scope } from '#platform/scopes.ts';
import { type ErrorCode, errorCodes } from '../errors.ts';

const cardId = '66f0c2a1b4d3e5f6a7b8c9d0';

/** The members that a code's problem has besides the usual ones. */
const members: Partial<Record<ErrorCode, Readonly<Record<string, unknown>>>> = {
  invalid_transition: { cardId, currentStatus: 'voided' },
  card_not_active: { cardId, currentStatus: 'suspended' },
  insufficient_balance: { cardId, balance: '12.34' },
  balance_limit_exceeded: {
    cardId,
    currentBalance: '9900.00',
    reloadAmount: '250.00',
    maxBalance: '10000.00',
    availableReloadAmount: '100.00',
  },
  refund_exceeds_redemption: { refundableAmount: '4.50' },
  verification_failed: { reason: 'timeout' },
  key_not_active: { currentStatus: 'frozen' },
  key_limit_reached: { max: 100 },
  program_limit_reached: { max: 10_000 },
  rule_limit_reached: { max: 200 },
  template_limit_reached: { max: 10_000 },
  webhook_limit_reached: { limit: 100 },
  card_locked: { retryAfterSeconds: 1 },
  idempotency_in_progress: { retryAfterSeconds: 1 },
  security_code_locked: { retryAfterSeconds: 900 },
  rate_limited: { retryAfterSeconds: 12, violatedPolicies: ['key-per-minute'] },
  monthly_quota_exceeded: { retryAfterSeconds: 912_345, violatedPolicies: ['key-per-month'] },
};

/** An example of a code's problem, as an OpenAPI example object. @param scope - what `forbidden` misses */
export function problemExample(code: ErrorCode, scope: Scope | 'user') {
  const [status, description] = errorCodes[code];
  return {
    summary: description,
    value: {
      ...(code === 'forbidden' ? { scope } : members[code]),
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: description,
      code,
      requestId: '0b9f2d1e-6c1d-4a55-9d0c-5c7a2f0f1a11',
    },
  };
}
