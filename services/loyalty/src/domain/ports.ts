import type { Program } from './program.ts';
import type { Rule, RuleSettings } from './rule.ts';

/** A window over a list. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

export interface ProgramStore {
  /** @returns false, with nothing written, when the merchant has `max` already. */
  insert(program: Program, max: number): Promise<boolean>;
  get(merchantId: string, id: string): Promise<Program | undefined>;
  /** Whoever's it is: what a public balance check needs of a program is no secret. */
  getOfAnyMerchant(id: string): Promise<Program | undefined>;
  /** Newest first; `total` counts all pages. With `id`, that program only. */
  list(merchantId: string, page: PageWindow, id?: string): Promise<{ programs: Program[]; total: number }>;
}

/** Where a rule is. */
export type RuleReference = Pick<Rule, 'merchantId' | 'programId' | 'id'>;

export interface RuleStore {
  /** @returns false, with nothing written, when the program has `max` already. */
  insert(rule: Rule, max: number): Promise<boolean>;
  /** @returns undefined when there is no such rule. */
  replace(where: RuleReference, settings: RuleSettings, updatedAt: Date): Promise<Rule | undefined>;
  /** @returns whether there was one. */
  delete(where: RuleReference): Promise<boolean>;
  /** The highest priority first, then the oldest; `total` counts all pages. */
  list(merchantId: string, programId: string, page: PageWindow): Promise<{ rules: Rule[]; total: number }>;
}

export type Clock = () => Date;

/** All that the use cases need from outside. */
export interface LoyaltyContext {
  readonly programs: ProgramStore;
  readonly programsMax: number;
  readonly rules: RuleStore;
  readonly rulesMax: number;
  readonly now: Clock;
}
