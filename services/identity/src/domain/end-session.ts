import type { Caller } from '#platform/grpc/caller.ts';
import { type AuditActor, aboutUser } from './audit-entry.ts';
import type { IdentityContext } from './ports.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

interface Ending {
  readonly session: Session;
  /** Whose session it is. */
  readonly user: User;
  readonly reason: 'logged_out' | 'refresh_token_reused';
  /** In place of the caller. */
  readonly actor?: AuditActor;
}

/** Ends a session, if it is not over yet, and tells the gateways. */
export async function endSession(
  context: Pick<IdentityContext, 'sessions' | 'audit' | 'transaction' | 'revocations' | 'now'>,
  caller: Caller,
  { session, user, reason, actor }: Ending,
): Promise<void> {
  const { id: sessionId, merchantId } = session;
  await context.transaction(async () => {
    if (!(await context.sessions.end(merchantId, sessionId, context.now()))) return;
    const change = { action: 'session_ended', merchantId, ...aboutUser(user), details: { sessionId, reason } } as const;
    await context.audit.record(caller, { ...change, ...(actor && { actor }) });
  });
  // Also when it was over: the word of an earlier call may have been lost.
  await context.revocations.publish(sessionId);
}
