import { MethodUses } from './method-uses.ts';

test('calls and their times are summed up by method', () => {
  const uses = new MethodUses();
  uses.add({ name: 'get_info', count: 1, time: 3 });
  uses.add({ name: 'get_block', count: 2, time: 5 });
  uses.add({ name: 'get_info', count: 4, time: 0.5 });
  expect(uses.list()).toEqual([
    { name: 'get_block', count: 2, time: 5 },
    { name: 'get_info', count: 5, time: 3.5 },
  ]);
  uses.clear();
  expect(uses.list()).toEqual([]);
});

test('the first addition, and the first after each clearing, is told', () => {
  let told = 0;
  const uses = new MethodUses(() => told++);
  const add = (name: string): number => {
    uses.add({ name, count: 1, time: 1 });
    return told;
  };
  expect([add('a'), add('a'), add('b')]).toEqual([1, 1, 1]);
  uses.clear();
  expect([add('b'), add('a')]).toEqual([2, 2]);
});
