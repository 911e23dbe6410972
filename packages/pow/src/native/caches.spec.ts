import { jest } from '@jest/globals';
import type { MemoryHandle, RandomxAddon } from './addon.ts';
import { SeedCaches } from './caches.ts';

const seed = (number: number) => Uint8Array.of(number);
const later = () => new Promise((resolve) => setImmediate(resolve));

/** An addon that only counts; `failing` seeds have no memory. */
function countingAddon(failing: readonly number[] = []) {
  const made: number[] = [];
  const live = new Set<MemoryHandle>();
  let most = 0;
  const addon = {
    initCache: async (_: string, [number = 0]: Uint8Array) => {
      made.push(number);
      await later();
      if (failing.includes(number)) throw Object.assign(new Error('none'), { code: 'ENOMEM' });
      const handle = { number } as unknown as MemoryHandle;
      live.add(handle);
      most = Math.max(most, live.size);
      return handle;
    },
    release: async (handle: MemoryHandle) => {
      await later();
      live.delete(handle);
    },
  } as unknown as RandomxAddon;
  return { addon, made, live, most: () => most };
}

test('the two seeds used last stay', async () => {
  const { addon, made, live } = countingAddon();
  const caches = new SeedCaches(addon);
  expect(caches.size).toBe(0);
  for (const number of [1, 2, 1, 2, 3, 2, 1]) await caches.use(seed(number), later);
  expect(caches.size).toBe(2);
  expect(made).toEqual([1, 2, 3, 1]);
  await caches.close();
  expect(live.size).toBe(0);
});

test('ten minutes after a change of seed only the cache of the new one is left', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const { addon, made, live } = countingAddon();
  let now = 0;
  const pass = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    jest.advanceTimersByTime(milliseconds);
    for (let i = 0; i < 5; i++) await later();
  };
  const caches = new SeedCaches(addon, { now: () => now });
  await caches.use(seed(1), later);
  await pass(200_000);
  await caches.use(seed(2), () => pass(200_000));
  await caches.use(seed(1), later);
  await pass(599_999);
  await caches.use(seed(2), later);
  expect(live.size).toBe(2);
  await pass(600_000);
  expect(live.size).toBe(1);
  await caches.use(seed(2), later);
  expect(made).toEqual([1, 2]);
  await caches.close();
  jest.useRealTimers();
});

test('one cache for many users at once', async () => {
  const { addon, made } = countingAddon();
  const caches = new SeedCaches(addon);
  await Promise.all([1, 1, 1].map((number) => caches.use(seed(number), later)));
  expect(made).toEqual([1]);
  await caches.close();
});

test('never more than three, however many seeds are asked for', async () => {
  const { addon, live, most } = countingAddon();
  const caches = new SeedCaches(addon);
  const numbers = Array.from({ length: 40 }, (_, i) => i % 20);
  await Promise.all(numbers.map((number) => caches.use(seed(number), later)));
  expect(most()).toBe(3);
  await caches.close();
  expect(live.size).toBe(0);
});

test('a lack of memory is a typed error and tried again', async () => {
  const { addon, made } = countingAddon([7]);
  const caches = new SeedCaches(addon);
  const failure = { name: 'PowUnavailableError', code: 'no-memory', cause: { code: 'ENOMEM' } };
  await expect(caches.use(seed(7), later)).rejects.toMatchObject(failure);
  await expect(caches.use(seed(7), later)).rejects.toMatchObject(failure);
  expect(made).toEqual([7, 7]);
  await caches.use(seed(1), later);
  await caches.close();
});

test('close waits for the uses under way and refuses others', async () => {
  const { addon, live } = countingAddon();
  const caches = new SeedCaches(addon);
  let done = false;
  const use = caches.use(seed(1), async () => {
    await later();
    done = true;
  });
  await caches.close();
  expect(done).toBe(true);
  expect(live.size).toBe(0);
  await use;
  await expect(caches.use(seed(1), later)).rejects.toMatchObject({ code: 'closed' });
});
