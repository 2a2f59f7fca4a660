import type { Program } from './program.ts';

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

export type Clock = () => Date;

/** All that the use cases need from outside. */
export interface LoyaltyContext {
  readonly programs: ProgramStore;
  readonly programsMax: number;
  readonly now: Clock;
}
