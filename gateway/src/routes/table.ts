import { adminUserRoutes } from './admin-users.ts';
import { auditRoutes } from './audit.ts';
import { giftcardMoveRoutes } from './giftcard-moves.ts';
import { giftcardRoutes } from './giftcards.ts';
import { keyRoutes } from './keys.ts';
import { localizationRoutes } from './localization.ts';
import { loyaltyRoutes } from './loyalty.ts';
import { mfaRoutes } from './mfa.ts';
import { planRoutes } from './plans.ts';
import type { Route } from './route.ts';
import { ruleRoutes } from './rules.ts';
import { serviceRoutes } from './service.ts';
import { signupRoutes } from './signup.ts';
import { templateRoutes } from './templates.ts';
import { tokenRoutes } from './token.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every route there is. The server, the validation and the OpenAPI document are all made from this table. */
export const routes: readonly Route[] = [
  ...giftcardMoveRoutes,
  ...giftcardRoutes,
  ...auditRoutes,
  ...tokenRoutes,
  ...mfaRoutes,
  ...signupRoutes,
  ...keyRoutes,
  ...planRoutes,
  ...loyaltyRoutes,
  ...ruleRoutes,
  ...templateRoutes,
  ...webhookRoutes,
  ...localizationRoutes,
  ...adminUserRoutes,
  ...serviceRoutes,
];
