/** What a rule may wait for. */
export const ruleTriggers = ['transaction.recorded', 'customer.enrolled', 'customer.birthday'] as const;
export type RuleTrigger = (typeof ruleTriggers)[number];

const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;
const memberships = ['in', 'not_in'] as const;

/** What a condition's value is: minor units, a count, or words. */
export type ValueKind = 'amount' | 'count' | 'words';

/** What conditions may look at. */
export const ruleFields = {
  'transaction.amount': { kind: 'amount', operators: comparisons },
  'transaction.itemCount': { kind: 'count', operators: comparisons },
  'transaction.productId': { kind: 'words', operators: memberships },
  'transaction.category': { kind: 'words', operators: memberships },
  'transaction.location': { kind: 'words', operators: memberships },
  'customer.points': { kind: 'count', operators: comparisons },
  'customer.transactionCount': { kind: 'count', operators: comparisons },
  'customer.daysSinceEnrollment': { kind: 'count', operators: comparisons },
  'customer.language': { kind: 'words', operators: memberships },
} as const satisfies Record<string, { kind: ValueKind; operators: readonly string[] }>;

export type RuleField = keyof typeof ruleFields;

export interface RuleCondition {
  readonly field: RuleField;
  readonly operator: (typeof comparisons)[number] | (typeof memberships)[number];
  readonly value: number | readonly string[];
}

/** What a rule may do. */
export type RuleAction =
  | { readonly type: 'award_points'; readonly points: number }
  | { readonly type: 'multiply_points'; readonly multiplierHundredths: number }
  | { readonly type: 'issue_voucher'; readonly voucherId: string }
  | { readonly type: 'notify_customer'; readonly message: string };

export const ruleActionTypes = ['award_points', 'multiply_points', 'issue_voucher', 'notify_customer'] as const;

/** A customer's birthday has no transaction to look at. */
export const ofTransaction = (word: string) => word.startsWith('transaction.') || word === 'multiply_points';
