import { RestartBudget } from './restart-budget.ts';

test('waits longer before each further restart', () => {
  const budget = new RestartBudget(10);
  expect([1, 2, 3, 4].map((nowMs) => budget.next(nowMs))).toEqual([50, 100, 200, 400]);
});

test('gives up after the allowed restarts of one minute', () => {
  const budget = new RestartBudget(2);
  expect([budget.next(0), budget.next(1), budget.next(2)]).toEqual([50, 100, undefined]);
});

test('forgets what is more than a minute ago', () => {
  const budget = new RestartBudget(2);
  budget.next(0);
  budget.next(1);
  expect(budget.next(61_000)).toBe(50);
});

test('never waits more than five seconds', () => {
  const budget = new RestartBudget(30);
  const delays = Array.from({ length: 30 }, (_, atMs) => budget.next(atMs) ?? 0);
  expect(Math.max(...delays)).toBe(5_000);
});
