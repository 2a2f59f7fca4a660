import { activateUser, activateUserShapes } from '../handlers/admin/activate-user.ts';
import { deactivateUser, deactivateUserShapes } from '../handlers/admin/deactivate-user.ts';
import { listUsers, listUsersShapes } from '../handlers/admin/list-users.ts';
import { resetMfa, resetMfaShapes } from '../handlers/admin/reset-mfa.ts';
import { UserList, UserRead } from '../schemas/identity.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Administration', auth: 'admin', public: false } as const;

export const adminUserRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'get',
    path: '/v2/admin/users',
    operationId: 'listUsers',
    summary: 'Find a user by e-mail',
    request: listUsersShapes,
    success: { status: 200, schema: UserList, description: 'The user, or an empty list.' },
    errors: [],
    handler: listUsers,
  }),
  route({
    ...common,
    method: 'post',
    withoutRedis: 'count-locally',
    path: '/v2/admin/users/:userId/activate',
    operationId: 'activateUser',
    summary: 'Make a user active',
    request: activateUserShapes,
    success: { status: 200, schema: UserRead, description: 'The user; its keys work again, and it can log in.' },
    errors: ['not_found'],
    handler: activateUser,
  }),
  route({
    ...common,
    method: 'post',
    withoutRedis: 'count-locally',
    path: '/v2/admin/users/:userId/deactivate',
    operationId: 'deactivateUser',
    summary: 'Make a user inactive',
    request: deactivateUserShapes,
    success: { status: 200, schema: UserRead, description: 'The user; every credential of it is refused.' },
    errors: ['not_found', 'cannot_deactivate_self'],
    handler: deactivateUser,
  }),
  route({
    ...common,
    method: 'delete',
    path: '/v2/admin/users/:userId/mfa',
    operationId: 'resetMfa',
    summary: 'Take the second factor of a user away who has lost it',
    description:
      "Ends the user's sessions, and tells the user by mail. A user without a second factor is answered alike.",
    request: resetMfaShapes,
    success: { status: 200, schema: UserRead, description: 'The user, who logs in with the password alone.' },
    errors: ['not_found', 'cannot_reset_own_mfa'],
    handler: resetMfa,
  }),
];
