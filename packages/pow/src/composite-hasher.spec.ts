import { CompositePowHasher } from './composite-hasher.ts';
import { createNonceSearcher } from './nonce-searcher.ts';

/** Returns a hasher whose every hash is zero, which is good for all difficulties, and its list of fast searches. */
function createHasher() {
  const fastSearches: bigint[] = [];
  const family = { hash: async () => new Uint8Array(32), close: async () => undefined };
  const hasher = new CompositePowHasher('test', {
    randomx: family,
    cryptonight: family,
    createRandomxSearcher: () => ({
      name: 'fast',
      search: async ({ difficulty }) => {
        fastSearches.push(difficulty);
        return { hashes: 7 };
      },
      release: async () => undefined,
      close: async () => undefined,
    }),
  });
  return { hasher, fastSearches };
}

const blob = new Uint8Array(76);
const search = { nonceOffset: 39, startNonce: 3, stride: 1, count: 100 };
const randomx = { kind: 'randomx', seedHash: new Uint8Array(32), blob } as const;
const cryptonight = { kind: 'cryptonight', variant: 0, height: 0, blob } as const;

test('prepares no dataset for a difficulty that a few hashes reach', async () => {
  const { hasher, fastSearches } = createHasher();
  const searcher = createNonceSearcher(hasher);
  for (const difficulty of [1n, 49n]) {
    const result = await searcher.search({ ...search, request: randomx, difficulty });
    expect(result).toEqual({ nonce: 3, hashes: 1 });
  }
  expect(fastSearches).toEqual([]);
  expect(await searcher.search({ ...search, request: randomx, difficulty: 50n })).toEqual({
    hashes: 7,
  });
  expect(fastSearches).toEqual([50n]);
});

test('searches CryptoNight one hash at a time, whatever the difficulty', async () => {
  const { hasher, fastSearches } = createHasher();
  const searcher = createNonceSearcher(hasher);
  const result = await searcher.search({ ...search, request: cryptonight, difficulty: 10n ** 9n });
  expect(result).toEqual({ nonce: 3, hashes: 1 });
  expect(fastSearches).toEqual([]);
});
