import { z } from 'zod';
import { AppError } from '#platform/errors.ts';
import type { User } from '#proto/identity/v1/identity.ts';
import type { Context } from '../../context.ts';
import type { Handler } from '../../routes/route.ts';
import type { UserList } from '../../schemas/identity.ts';
import { email } from '../../schemas/primitives.ts';
import { renderUser } from '../token/user-view.ts';

export const listUsersShapes = { query: z.object({ email: email() }) };

/** The user with an e-mail, of whatever merchant: one or none. */
export const listUsers: Handler<typeof listUsersShapes, typeof UserList> = async ({ query }, context) => ({
  body: (await find(query.email, context)).map(renderUser),
});

async function find(address: string, context: Context): Promise<User[]> {
  try {
    return [await context.services.clients.identity.findUser({ email: address }, context.caller, context.reading())];
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return [];
    throw error;
  }
}
