import type { RefreshToken, Session } from './session.ts';

export interface SessionStore {
  insert(session: Session, first: RefreshToken): Promise<void>;
  /** By id, which is unique among all merchants. */
  get(sessionId: string): Promise<Session | undefined>;
  findRefreshToken(hash: string): Promise<RefreshToken | undefined>;
  /**
   * Exchanges an unused token for the next one of its session.
   * @returns false when it was used before; of calls at once, one gets true.
   */
  rotate(usedHash: string, next: RefreshToken, now: Date): Promise<boolean>;
  /** Ends the session. @returns false when it was over already. */
  end(merchantId: string, sessionId: string, now: Date): Promise<boolean>;
  /** Ends all sessions of a user, but for one that may be kept. @returns how many. */
  endAll(merchantId: string, userId: string, now: Date, keptId?: string): Promise<number>;
}
