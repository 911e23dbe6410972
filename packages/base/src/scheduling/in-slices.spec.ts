import { keepBusy } from '../testing/keep-busy.ts';
import { inSlices } from './in-slices.ts';
import { Yielder } from './yielder.ts';

function* steps(count: number, milliseconds: number): Generator<undefined, string> {
  for (let i = 0; i < count; i++) {
    keepBusy(milliseconds);
    yield undefined;
  }
  return 'done';
}

test('short work ends at once, without a promise', () => {
  expect(inSlices(steps(3, 0), new Yielder({ sliceMs: 60_000 }))).toBe('done');
});

test('the event loop gets a turn after each slice', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const result = await inSlices(steps(12, 2), new Yielder({ sliceMs: 4 }));
  clearInterval(timer);
  expect(result).toBe('done');
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('throws what a step throws, before and after a pause', async () => {
  function* failing(pauses: number): Generator<undefined, never> {
    for (let i = 0; i < pauses; i++) {
      keepBusy(2);
      yield undefined;
    }
    throw new RangeError('wrong');
  }
  expect(() => inSlices(failing(0), new Yielder())).toThrow('wrong');
  await expect(async () => inSlices(failing(3), new Yielder({ sliceMs: 1 }))).rejects.toThrow(
    'wrong',
  );
});
