import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { merchantOf } from './merchant-caller.ts';
import type { LoyaltyContext, RuleReference } from './ports.ts';

/** Takes a rule out of its program. @throws AppError `forbidden`, `not_found`. */
export async function deleteRule(
  context: Pick<LoyaltyContext, 'rules'>,
  caller: Caller,
  { programId, id }: Omit<RuleReference, 'merchantId'>,
): Promise<void> {
  const merchantId = merchantOf(caller);
  const deleted = isId(programId) && isId(id) && (await context.rules.delete({ merchantId, programId, id }));
  if (!deleted) throw refusal.ruleNotFound();
}
