import type { Mfa } from './mfa.ts';

export interface MfaStore {
  /** Stores one that is not in force yet, in place of an earlier such. @returns false when one is in force already. */
  begin(mfa: Mfa): Promise<boolean>;
  get(userId: string): Promise<Mfa | undefined>;
  save(mfa: Mfa): Promise<void>;
  remove(userId: string): Promise<void>;
}

/** What a code is tried for. Each counts by itself: whoever has stolen a token cannot lock its user's log-in with it. */
export type CodeUse = 'log_in' | 'settings';

export interface MfaTries {
  /** Counts a try of a user's codes. @returns the end of the window that it is counted in, or how long none is allowed. */
  reserve(use: CodeUse, userId: string, now: Date): Promise<{ readonly endsAt: Date } | { readonly waitMs: number }>;
  /** Gives one try back to the window that ends then, if that still runs. Never fails: what was done stands without it. */
  giveBack(use: CodeUse, userId: string, endsAt: Date): Promise<void>;
  /** Forgets all tries for every use. Never fails, likewise. */
  clear(userId: string): Promise<void>;
}
