import { until } from '@monero-node/base/testing';
import { CompositePowHasher } from '../composite-hasher.ts';
import { HashingNonceSearcher } from '../nonce-searcher.ts';
import type { NonceSearch, RandomxRequest } from '../pow-hasher.ts';
import { isRandomx } from '../randomx.ts';
import { loadRandomxAddon, type MemoryHandle, type RandomxAddon } from './addon.ts';
import { NativeRandomxHasher } from './hasher.ts';
import { NativeNonceSearcher } from './searcher.ts';

const addon = loadRandomxAddon();
const withAddon = addon ? describe : describe.skip;

// POW_FAST=1 computes a dataset too: 2 GiB and up to a minute.
const modes = process.env['POW_FAST'] === '1' ? (['light', 'fast'] as const) : (['light'] as const);

const base: NonceSearch = {
  request: {
    kind: 'randomx',
    seedHash: new Uint8Array(32).fill(3),
    blob: new Uint8Array(76).fill(1),
  },
  nonceOffset: 39,
  startNonce: 0,
  stride: 1,
  count: 1000,
  difficulty: 1n,
};
const HARD = 1n << 127n;

/** Caches of {@link keeping}, by their seeds. */
const kept = new Map<string, MemoryHandle>();
afterAll(async () => {
  for (const cache of kept.values()) await addon!.release(cache);
});

/** Returns the addon with caches that stay for the tests that follow, as making one takes a second of a core. */
function keeping(): RandomxAddon {
  return {
    ...addon!,
    initCache: async (algorithm, seed, disabled) => {
      const key = seed.join();
      const cache = kept.get(key) ?? (await addon!.initCache(algorithm, seed, disabled));
      kept.set(key, cache);
      return cache;
    },
    release: async (handle) => {
      if (![...kept.values()].includes(handle)) await addon!.release(handle);
    },
  };
}

/** Returns an addon with a listener for each search that it is given. */
function watched(onSearch: (isPatient: boolean) => void, from = keeping()): RandomxAddon {
  return {
    ...from,
    search: (...task) => {
      onSearch(task[8]);
      return addon!.search(...task);
    },
  };
}

withAddon.each(modes)('native search in %s mode', (mode) => {
  let hasher: NativeRandomxHasher;
  let searcher: NativeNonceSearcher;
  const progress: number[] = [];
  /** Searches that the addon was given. */
  let started = 0;
  beforeAll(() => {
    hasher = new NativeRandomxHasher(addon!, 2);
    const counting = watched(() => started++);
    searcher = new NativeNonceSearcher(counting, hasher.caches, {
      mode,
      datasetThreads: 2,
      onDatasetProgress: (fraction) => progress.push(fraction),
    });
  });
  afterAll(async () => {
    await searcher.close();
    await hasher.close();
  });

  test('finds the nonces that hash after hash finds', async () => {
    const slow = new HashingNonceSearcher(hasher);
    for (const difficulty of [1n, 5n, 12n]) {
      const search = { ...base, startNonce: 2 ** 32 - 2, stride: 3, difficulty };
      expect(await searcher.search(search)).toEqual(await slow.search(search));
    }
    expect(await searcher.search({ ...base, count: 3, difficulty: HARD })).toEqual({ hashes: 3 });
    expect(await searcher.search({ ...base, count: 0 })).toEqual({ hashes: 0 });
    expect(await searcher.search({ ...base, count: 2, difficulty: 0n })).toEqual({ hashes: 2 });
  }, 600_000);

  test('compares commitments where they are the proof of work, of blobs up to several blocks', async () => {
    const whole = new CompositePowHasher(() => 'test', {
      randomx: hasher,
      cryptonight: {
        hash: () => Promise.reject(new Error('unexpected')),
        close: async () => undefined,
      },
    });
    const slow = new HashingNonceSearcher(whole);
    if (!isRandomx(base.request)) throw new Error('unexpected');
    for (const [size, difficulty] of [
      [76, 6n],
      [96, 3n],
      [97, 3n],
      [224, 3n],
      [300, 3n],
    ] as const) {
      const blob = new Uint8Array(size).fill(5);
      const request: RandomxRequest = { ...base.request, blob, commitment: true };
      const search = { ...base, request, difficulty };
      expect([size, await searcher.search(search)]).toEqual([size, await slow.search(search)]);
    }
  }, 600_000);

  test('a found nonce is the exact boundary of its difficulty', async () => {
    if (base.request.kind !== 'randomx') throw new Error('unexpected');
    const blob = Uint8Array.from(base.request.blob);
    blob.set([7, 0, 0, 0], 39);
    const hash = await hasher.hash({ ...base.request, blob });
    const value = BigInt(`0x${Buffer.from(hash).reverse().toString('hex')}`);
    const most = ((1n << 256n) - 1n) / value;
    const one = { ...base, startNonce: 7, count: 1 };
    expect(await searcher.search({ ...one, difficulty: most })).toEqual({ nonce: 7, hashes: 1 });
    expect(await searcher.search({ ...one, difficulty: most + 1n })).toEqual({ hashes: 1 });
  });

  test('overlapping searches leave the event loop free and end when told to', async () => {
    const controller = new AbortController();
    const hard = { ...base, count: 2 ** 40, difficulty: HARD, signal: controller.signal };
    started = 0;
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const searches = [0, 1].map((startNonce) =>
      searcher.search({ ...hard, startNonce, stride: 2 }),
    );
    await until(() => ticks > 3 && started === 2);
    controller.abort();
    const results = await Promise.all(searches);
    clearInterval(timer);
    for (const { nonce } of results) expect(nonce).toBeUndefined();
    expect(await searcher.search({ ...hard, count: 5 })).toEqual({ hashes: 0 });
  });

  test('searches again after a release, and reports progress only for a dataset', async () => {
    await searcher.release();
    expect(await searcher.search(base)).toEqual({ nonce: 0, hashes: 1 });
    if (mode === 'fast') expect(progress.at(-1)).toBe(1);
    else expect(progress).toEqual([]);
  }, 600_000);

  test('refuses what is out of range', async () => {
    for (const change of [
      { nonceOffset: 73 },
      { startNonce: 2 ** 32 },
      { stride: -1 },
      { count: 1.5 },
      { difficulty: 1n << 128n },
      { difficulty: -1n },
    ]) {
      await expect(searcher.search({ ...base, ...change })).rejects.toThrow('expected');
    }
  });
});

withAddon('native search', () => {
  test('is light where there is no memory, and ends with close', async () => {
    let started = 0;
    const counting = watched(() => started++);
    const hasher = new NativeRandomxHasher(counting, 1);
    const searcher = new NativeNonceSearcher(counting, hasher.caches, {
      datasetThreads: 1,
      availableMemory: () => 1024 ** 3,
    });
    const hard = { ...base, count: 2 ** 32, difficulty: HARD };
    await searcher.search({ ...hard, count: 1 });
    expect(searcher.name).toContain('light');
    const running = searcher.search(hard);
    await until(() => started === 2);
    await searcher.close();
    expect((await running).nonce).toBeUndefined();
    await expect(searcher.search(base)).rejects.toMatchObject({ code: 'closed' });
    await hasher.close();
  });

  test('a search that waits for its cache ends with close', async () => {
    const hasher = new NativeRandomxHasher(addon!, 1);
    const searcher = new NativeNonceSearcher(addon!, hasher.caches, {
      mode: 'light',
      datasetThreads: 1,
    });
    const search = searcher.search({ ...base, count: 2 ** 32, difficulty: HARD });
    const refused = expect(search).rejects.toMatchObject({ code: 'closed' });
    await searcher.close();
    await refused;
    await hasher.close();
  });

  test('searches that are given up while memory is made ready take no thread', async () => {
    let started = 0;
    const counting = watched(() => started++, addon!);
    const hasher = new NativeRandomxHasher(counting, 1);
    const searcher = new NativeNonceSearcher(counting, hasher.caches, {
      mode: 'light',
      datasetThreads: 1,
    });
    const controller = new AbortController();
    const searches = Array.from({ length: 8 }, () =>
      searcher.search({ ...base, signal: controller.signal }),
    );
    controller.abort();
    for (const result of await Promise.all(searches)) expect(result).toEqual({ hashes: 0 });
    // The cache is there now.
    expect(await searcher.search(base)).toEqual({ nonce: 0, hashes: 1 });
    expect(started).toBe(1);
    await searcher.close();
    await hasher.close();
  });

  test('is light and patient until the dataset is ready, and fast from then on', async () => {
    const patience: boolean[] = [];
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const { seedHash } = base.request as RandomxRequest;
    const known = watched((isPatient) => patience.push(isPatient));
    // A cache takes the place of the dataset.
    const slowToPrepare: RandomxAddon = {
      ...known,
      initDataset: () => finished.then(() => known.initCache('rx/0', seedHash, 0)),
    };
    const hasher = new NativeRandomxHasher(slowToPrepare, 1);
    const searcher = new NativeNonceSearcher(slowToPrepare, hasher.caches, {
      datasetThreads: 1,
      availableMemory: () => 2 ** 40,
    });
    const hard = { ...base, difficulty: HARD };
    expect(await searcher.search({ ...hard, count: 2 })).toEqual({ hashes: 2 });
    const long = searcher.search({ ...hard, count: 2 ** 32 });
    await until(() => patience.length === 2);
    finish();
    expect((await long).nonce).toBeUndefined();
    expect(await searcher.search({ ...hard, count: 1 })).toEqual({ hashes: 1 });
    expect(patience).toEqual([true, true, false]);
    await searcher.close();
    await hasher.close();
  });

  test('stays light when there is no memory for the dataset', async () => {
    const patience: boolean[] = [];
    const short: RandomxAddon = {
      ...watched((isPatient) => patience.push(isPatient)),
      initDataset: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOMEM' })),
    };
    const hasher = new NativeRandomxHasher(short, 1);
    const searcher = new NativeNonceSearcher(short, hasher.caches, {
      datasetThreads: 1,
      availableMemory: () => 2 ** 40,
    });
    for (let i = 0; i < 2; i++) {
      expect(await searcher.search({ ...base, difficulty: HARD, count: 1 })).toEqual({ hashes: 1 });
    }
    expect(patience).toEqual([true, false]);
    await searcher.close();
    await hasher.close();
  });

  test('release ends the computing of a dataset', async () => {
    const hasher = new NativeRandomxHasher(addon!, 1);
    const searcher = new NativeNonceSearcher(addon!, hasher.caches, {
      mode: 'fast',
      datasetThreads: 1,
    });
    const search = expect(searcher.search(base)).rejects.toMatchObject({ code: 'closed' });
    const aborted = searcher.search({ ...base, signal: AbortSignal.timeout(100) });
    expect(await aborted).toEqual({ hashes: 0 });
    await searcher.release();
    await search;
    await searcher.close();
    await hasher.close();
  });
});
