import { CompositePowHasher } from './composite-hasher.ts';
import { createNonceSearcher } from './nonce-searcher.ts';
import { randomxCommitment } from './randomx.ts';

/**
 * Returns a hasher whose every hash is zero, which is good for all difficulties, and its list of fast searches, which
 * are of version 1 alone.
 */
function createHasher() {
  const fastSearches: bigint[] = [];
  const family = { hash: async () => new Uint8Array(32), close: async () => undefined };
  const hasher = new CompositePowHasher(() => 'test', {
    randomx: family,
    cryptonight: family,
    createRandomxSearcher: () => ({
      name: 'fast',
      search: async ({ difficulty }) => {
        fastSearches.push(difficulty);
        return { hashes: 7 };
      },
      supports: async (version) => version === 'randomx',
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

test('a version that the fast searcher lacks is searched one hash at a time', async () => {
  const { hasher, fastSearches } = createHasher();
  const searcher = createNonceSearcher(hasher);
  const request = { ...randomx, kind: 'randomx-v2' } as const;
  const result = await searcher.search({ ...search, request, difficulty: 10n ** 9n });
  expect(result).toEqual({ nonce: 3, hashes: 1 });
  expect(fastSearches).toEqual([]);
});

test('a request for the commitment gets it, of the bytes as they were', async () => {
  const { hasher } = createHasher();
  const bytes = Uint8Array.from(blob);
  const asked = hasher.hash({ ...randomx, blob: bytes, commitment: true });
  bytes.fill(1);
  expect(await asked).toEqual(randomxCommitment(blob, new Uint8Array(32)));
  expect(await hasher.hash(randomx)).toEqual(new Uint8Array(32));
});

test('a search for commitments compares those with the difficulty', async () => {
  const { hasher } = createHasher();
  const searcher = createNonceSearcher(hasher);
  const request = { ...randomx, commitment: true };
  const difficulty = 20n;
  const { nonce } = await searcher.search({ ...search, request, difficulty });
  const isGood = (value: number) => {
    const bytes = Uint8Array.from(blob);
    new DataView(bytes.buffer).setUint32(39, value, true);
    const commitment = Buffer.from(randomxCommitment(bytes, new Uint8Array(32))).reverse();
    return BigInt(`0x${commitment.toString('hex')}`) * difficulty < 1n << 256n;
  };
  const first = Array.from({ length: 100 }, (_, i) => 3 + i).find(isGood);
  expect(first).toBeGreaterThan(3);
  expect(nonce).toBe(first);
});

test('searches CryptoNight one hash at a time, whatever the difficulty', async () => {
  const { hasher, fastSearches } = createHasher();
  const searcher = createNonceSearcher(hasher);
  const result = await searcher.search({ ...search, request: cryptonight, difficulty: 10n ** 9n });
  expect(result).toEqual({ nonce: 3, hashes: 1 });
  expect(fastSearches).toEqual([]);
});
