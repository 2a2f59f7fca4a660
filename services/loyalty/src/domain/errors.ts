import { AppError, notFound } from '#platform/errors.ts';

/** Every refusal of this service besides 422. The code is a contract; the text may change. */
export const refusal = {
  forbidden: () => new AppError('forbidden', 'forbidden', 'This needs a caller that acts for a merchant.'),
  programNotFound: () => notFound('program'),
  programLimitReached: (max: number) =>
    new AppError('conflict', 'program_limit_reached', `A merchant has at most ${max} programs.`, { max }),
  ruleNotFound: () => notFound('rule'),
  ruleLimitReached: (max: number) =>
    new AppError('conflict', 'rule_limit_reached', `A program has at most ${max} rules.`, { max }),
};
