import type { RuleAction, RuleCondition, RuleTrigger } from './rule-vocabulary.ts';

/** What a merchant says of a rule. */
export interface RuleSettings {
  readonly name: string;
  readonly enabled: boolean;
  readonly trigger: RuleTrigger;
  /** All of them must hold. */
  readonly conditions: readonly RuleCondition[];
  readonly actions: readonly RuleAction[];
  readonly startsAt?: Date;
  readonly endsAt?: Date;
  /** Higher comes first. */
  readonly priority: number;
}

/** Says what a program does when something happens. */
export interface Rule extends RuleSettings {
  readonly id: string;
  readonly merchantId: string;
  readonly programId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Settings as they arrive, in words that may be wrong. */
export interface RuleDraft extends Omit<RuleSettings, 'trigger' | 'conditions' | 'actions'> {
  readonly trigger: string;
  readonly conditions: readonly { readonly field: string; readonly operator: string; readonly value: unknown }[];
  readonly actions: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
}

export const rulesMax = 200;
