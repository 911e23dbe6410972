import { countCalls } from './count-calls.ts';

const double = (n: number): number => 2 * n;
function twice(n: number): number {
  return double(double(n));
}
class Made {
  constructor() {
    twice(1);
  }
}

test('counts the calls of functions and constructors, and of what they call', async () => {
  twice(1);
  const counts = (action: () => unknown) => countCalls([twice, double, Made], action);
  expect(await counts(() => twice(1))).toEqual([1, 2, 0]);
  expect(await counts(() => new Made())).toEqual([1, 2, 1]);
  expect(await counts(() => undefined)).toEqual([0, 0, 0]);
});

test('counts what the compiler has put into its caller', async () => {
  for (let i = 0; i < 100_000; i++) twice(i);
  const action = () => {
    for (let i = 0; i < 100_000; i++) twice(i);
  };
  expect(await countCalls([double], action)).toEqual([200_000]);
});

test('counts until the action has ended', async () => {
  const action = async () => {
    await Promise.resolve();
    twice(1);
  };
  expect(await countCalls([twice], action)).toEqual([1]);
});

test('what the action throws comes through', async () => {
  const failure = new Error('failed');
  await expect(countCalls([twice], () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await countCalls([twice], () => twice(1))).toEqual([1]);
});
