import { PowUnavailableError } from '../errors.ts';
import { CacheStore, type MakeCache } from './cache-store.ts';
import type { RandomxCache } from './cache.ts';
import type { SharedMemory } from '../webassembly.ts';

const seed = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A store that makes caches out of nothing, and a log of what it does. */
function setUp(capacity: number, fail: (key: string) => boolean = () => false) {
  const log: string[] = [];
  const memories = new Set<SharedMemory>();
  const make: MakeCache = async (memory, key) => {
    log.push(`make ${text(key)}`);
    memories.add(memory);
    await turn();
    if (fail(text(key))) throw new Error('told to');
    return { memory, superscalar: {} } as RandomxCache;
  };
  const store = new CacheStore(capacity, make);
  /** A use that lasts until `end` is called. */
  const begin = (name: string) => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const done = store.use(seed(name), async () => {
      log.push(`use ${name}`);
      await ended;
    });
    return { end, done };
  };
  return { store, log, memories, begin };
}

test('one cache for all uses of a seed', async () => {
  const { store, log } = setUp(1);
  await Promise.all([1, 2, 3].map(() => store.use(seed('a'), async () => undefined)));
  await store.use(seed('a'), async () => undefined);
  expect(log).toEqual(['make a']);
});

test('another seed waits for the memory until its users are done', async () => {
  const { log, memories, begin } = setUp(1);
  const a = begin('a');
  const b = begin('b');
  await turn();
  await turn();
  expect(log).toEqual(['make a', 'use a']);
  a.end();
  await a.done;
  b.end();
  await b.done;
  expect(log).toEqual(['make a', 'use a', 'make b', 'use b']);
  expect(memories.size).toBe(1);
});

test('with two, the one used longest ago makes room', async () => {
  const { store, log, memories } = setUp(2);
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) {
    await store.use(seed(name), async () => undefined);
  }
  expect(log).toEqual(['make a', 'make b', 'make c', 'make b']);
  expect(memories.size).toBe(2);
});

test('caches are numbered, also in one memory', async () => {
  const { store } = setUp(1);
  const numbers: number[] = [];
  for (const name of ['a', 'b', 'a']) {
    await store.use(seed(name), async ({ number }) => void numbers.push(number));
  }
  expect(new Set(numbers).size).toBe(3);
});

test('seeds in turns are taken together, so that each cache is made once', async () => {
  const { store, log } = setUp(1);
  const names = ['a', 'b', 'a', 'b', 'a', 'b'];
  await Promise.all(names.map((name) => store.use(seed(name), async () => undefined)));
  expect(log).toEqual(['make a', 'make b']);
});

test('a waiting request is not overtaken for ever', async () => {
  const { store, log } = setUp(1);
  let overtaken = 0;
  let isServed = false;
  const overtake = async (): Promise<void> => {
    while (!isServed) {
      if (overtaken++ > 10_000) throw new Error('starved');
      await store.use(seed('a'), turn);
    }
  };
  const first = overtake();
  const second = overtake();
  await store.use(seed('b'), async () => undefined);
  isServed = true;
  await Promise.all([first, second]);
  expect(log[1]).toBe('make b');
});

test('a cache that cannot be made is made anew by the next use, and others are not held up', async () => {
  let failures = 1;
  const { store, log } = setUp(1, (name) => name === 'a' && failures-- > 0);
  const a = store.use(seed('a'), async () => undefined);
  const b = store.use(seed('b'), async () => undefined);
  await expect(a).rejects.toThrow('told to');
  await b;
  await store.use(seed('a'), async () => undefined);
  expect(log).toEqual(['make a', 'make b', 'make a']);
});

test('closing rejects those who wait and those who come', async () => {
  const { store, begin } = setUp(1);
  const a = begin('a');
  const b = begin('b');
  await turn();
  store.close();
  await expect(b.done).rejects.toThrow(PowUnavailableError);
  await expect(store.use(seed('a'), async () => undefined)).rejects.toThrow(PowUnavailableError);
  a.end();
  await a.done;
});
