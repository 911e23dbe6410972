import { ByteBudget } from './byte-budget.ts';

test('bounds the sum, but leaves everyone a fair share', () => {
  const budget = new ByteBudget(1000, 100);
  const [a, b, c] = [{}, {}, {}];
  expect(budget.set(a, 600)).toBe(true);
  expect(budget.set(b, 400)).toBe(true);
  expect(budget.set(c, 100)).toBe(true);
  expect(budget.set(c, 101)).toBe(false);
  expect(budget.set(b, 401)).toBe(false);
  budget.set(b, 0);
  expect(budget.total).toBe(701);
  expect(budget.set(c, 400)).toBe(true);
});
