import { ByteBudget } from './byte-budget.ts';

test('bounds the sum but leaves every holder its fair share', () => {
  const budget = new ByteBudget({ limit: 1000, fairShare: 100 });
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

test('says whether more bytes fit within the limit', () => {
  const budget = new ByteBudget({ limit: 1000 });
  budget.set({}, 600);
  expect([budget.fits(400), budget.fits(401)]).toEqual([true, false]);
});
