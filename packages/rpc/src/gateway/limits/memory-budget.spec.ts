import { MemoryBudget } from './memory-budget.ts';

test('the oldest unread answers of a host are abandoned when there are too many', () => {
  const given: string[] = [];
  const host = {};
  const unsent = new MemoryBudget(100);
  const done = unsent.add(host, 40, () => given.push('a'));
  unsent.add(host, 40, () => given.push('b'));
  unsent.add(host, 20, () => given.push('c'));
  expect(given).toEqual([]);
  done();
  unsent.add(host, 40, () => given.push('d'));
  expect(given).toEqual([]);
  unsent.add(host, 50, () => given.push('e'));
  expect(given).toEqual(['b', 'c']);
  unsent.add(host, 1000, () => given.push('f'));
  expect(given).toEqual(['b', 'c', 'd', 'e']);
});

test('bytes that are released count no more, once', () => {
  const given: string[] = [];
  const budget = new MemoryBudget(100);
  const release = budget.add({}, 60, () => given.push('a'));
  release();
  release();
  budget.add({}, 60, () => given.push('b'));
  budget.add({}, 40, () => given.push('c'));
  expect(given).toEqual([]);
});

test('the host with the most unread bytes loses its answers, not one that reads', () => {
  const given: string[] = [];
  const [honest, attacker] = [{}, {}];
  const unsent = new MemoryBudget(100);
  unsent.add(honest, 30, () => given.push('honest'));
  for (let i = 0; i < 20; i++) unsent.add(attacker, 20, () => given.push(`attacker ${i}`));
  expect(given).toHaveLength(17);
  expect(given).not.toContain('honest');
});
