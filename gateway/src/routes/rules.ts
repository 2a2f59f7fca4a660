import { z } from 'zod';
import { createRule, createRuleShapes } from '../handlers/loyalty/create-rule.ts';
import { deleteRule, deleteRuleShapes } from '../handlers/loyalty/delete-rule.ts';
import { listRules, listRulesShapes } from '../handlers/loyalty/list-rules.ts';
import { updateRule, updateRuleShapes } from '../handlers/loyalty/update-rule.ts';
import { Confirmation } from '../schemas/common.ts';
import { RuleRead } from '../schemas/rules.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Loyalty', auth: 'bearer', public: true } as const;
const rules = '/v2/loyalty/programs/:programId/rules';

export const ruleRoutes: readonly Route[] = [
  route({
    ...common,
    since: '1.0.2',
    method: 'get',
    path: rules,
    operationId: 'listRules',
    summary: "List a program's rules",
    scope: 'loyalty:read',
    request: listRulesShapes,
    success: {
      status: 200,
      schema: z.array(RuleRead),
      description: 'The rules, the highest priority first.',
      headers: ['X-Total-Count', 'Link'],
    },
    errors: ['not_found'],
    handler: listRules,
  }),
  route({
    ...common,
    method: 'post',
    path: rules,
    operationId: 'createRule',
    summary: 'Add a rule to a program',
    description: 'Rules are kept for the program; nothing is awarded by them yet.',
    scope: 'loyalty:write',
    request: createRuleShapes,
    success: { status: 201, schema: RuleRead, description: 'The rule.' },
    errors: ['not_found', 'rule_limit_reached'],
    handler: createRule,
  }),
  route({
    ...common,
    method: 'put',
    path: `${rules}/:ruleId`,
    operationId: 'updateRule',
    summary: "Replace a rule's settings",
    scope: 'loyalty:write',
    request: updateRuleShapes,
    success: { status: 200, schema: RuleRead, description: 'The rule.' },
    errors: ['not_found'],
    handler: updateRule,
  }),
  route({
    ...common,
    method: 'delete',
    path: `${rules}/:ruleId`,
    operationId: 'deleteRule',
    summary: 'Delete a rule',
    scope: 'loyalty:write',
    request: deleteRuleShapes,
    success: { status: 200, schema: Confirmation, description: 'It is deleted.' },
    errors: ['not_found'],
    handler: deleteRule,
  }),
];
