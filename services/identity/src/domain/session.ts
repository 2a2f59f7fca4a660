/** One log-in and the family of refresh tokens that followed from it. */
export interface Session {
  readonly id: string;
  readonly merchantId: string;
  readonly userId: string;
  readonly createdAt: Date;
  /** When its newest refresh token runs out. */
  readonly expiresAt: Date;
  /** Set by the reuse of an old refresh token; from then on nothing of the session works. */
  readonly endedAt?: Date;
}

/** A refresh token as stored: only a keyed hash of it. */
export interface RefreshToken {
  readonly hash: string;
  readonly merchantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
  /** When it was exchanged for the next one; seen again after that, it was stolen. */
  readonly usedAt?: Date;
}

export const accessTokenSeconds = 15 * 60;
export const refreshTokenMs = 30 * 24 * 3600 * 1000;

/** Whether the session's tokens work at `now`. */
export function isLive(session: Session | undefined, now: Date): session is Session {
  return session !== undefined && session.endedAt === undefined && session.expiresAt > now;
}
