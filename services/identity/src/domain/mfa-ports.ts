import type { Mfa } from './mfa.ts';

export interface MfaStore {
  /** Stores one that is not in force yet, in place of an earlier such. @returns false when one is in force already. */
  begin(mfa: Mfa): Promise<boolean>;
  get(userId: string): Promise<Mfa | undefined>;
  save(mfa: Mfa): Promise<void>;
  remove(userId: string): Promise<void>;
}

export interface MfaTries {
  /** Counts a try of a user's codes. @returns the end of the window that it is counted in, or how long none is allowed. */
  reserve(userId: string, now: Date): Promise<{ readonly endsAt: Date } | { readonly waitMs: number }>;
  /** Gives one try back to the window that ends then, if that still runs. */
  giveBack(userId: string, endsAt: Date): Promise<void>;
  /** Forgets all tries. */
  clear(userId: string): Promise<void>;
}
