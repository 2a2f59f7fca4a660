import type { Context } from '../context.ts';

/**
 * Makes a change of a credential, or of a user's or merchant's credentials, and forgets what is known of it however that
 * ends: one that failed may have been made, now or before. The other gateways hear of it over Redis.
 * @param id of the key or user.
 */
export async function forgetting<Result>(context: Context, id: string, change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } finally {
    context.services.forgetCredential(id);
  }
}
