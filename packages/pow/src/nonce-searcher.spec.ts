import { createHash } from 'node:crypto';
import { createNonceSearcher, nonceOffset } from './nonce-searcher.ts';
import type { PowHasher, PowRequest } from './pow-hasher.ts';

/** SHA-256 in place of a proof of work, so that the tests are quick; remembers which nonces it saw. */
function fakeHasher(): PowHasher & { readonly nonces: number[] } {
  const nonces: number[] = [];
  return {
    name: 'sha',
    nonces,
    hash: ({ blob }: PowRequest) => {
      nonces.push(new DataView(blob.buffer, blob.byteOffset).getUint32(39, true));
      return Promise.resolve(Uint8Array.from(createHash('sha256').update(blob).digest()));
    },
    close: () => Promise.resolve(),
  };
}

/** Header of a block of version 16: two versions, a time of five bytes, an id, a nonce; then root and count. */
const BLOB = Uint8Array.of(
  ...[16, 16],
  ...[0xc0, 0xc5, 0xcd, 0xa9, 0x06],
  ...new Uint8Array(32).fill(7),
  ...[1, 2, 3, 4],
  ...new Uint8Array(32).fill(9),
  1,
);
const request: PowRequest = { kind: 'randomx', seedHash: new Uint8Array(32), blob: BLOB };
const base = { request, nonceOffset: 39, startNonce: 0, stride: 1, count: 5, difficulty: 1n };

test('the nonce follows versions, timestamp and parent id', () => {
  expect(nonceOffset(BLOB)).toBe(39);
  // A time of one byte, as in a chain that began at 0.
  expect(nonceOffset(Uint8Array.of(1, 1, 5, ...BLOB.subarray(7)))).toBe(35);
  expect(() => nonceOffset(BLOB.subarray(0, 42))).toThrow(RangeError);
  expect(() => nonceOffset(new Uint8Array(100).fill(0xff))).toThrow(RangeError);
});

test('at difficulty 1 the first nonce is good', async () => {
  const searcher = createNonceSearcher(fakeHasher());
  expect(await searcher.search({ ...base, startNonce: 77 })).toEqual({ nonce: 77, hashes: 1 });
});

test('tries nonces in steps, wraps around after 32 bits, and leaves the blob unchanged', async () => {
  const hasher = fakeHasher();
  const before = Uint8Array.from(BLOB);
  const difficulty = 1n << 200n;
  const searcher = createNonceSearcher(hasher);
  const result = await searcher.search({ ...base, startNonce: 2 ** 32 - 3, stride: 2, difficulty });
  expect(result).toEqual({ hashes: 5 });
  expect(hasher.nonces).toEqual([2 ** 32 - 3, 2 ** 32 - 1, 1, 3, 5]);
  expect(BLOB).toEqual(before);
});

test('the nonce found is the first whose hash, little-endian, times the difficulty stays below 2^256', async () => {
  const difficulty = 50n;
  const searcher = createNonceSearcher(fakeHasher());
  const { nonce, hashes } = await searcher.search({ ...base, count: 10_000, difficulty });
  const value = (candidate: number): bigint => {
    const blob = Buffer.from(BLOB);
    blob.writeUInt32LE(candidate, 39);
    const digest = createHash('sha256').update(blob).digest();
    return digest.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  };
  const expected = Array.from({ length: 10_000 }, (_, i) => i).find(
    (candidate) => value(candidate) * difficulty < 2n ** 256n,
  );
  expect(nonce).toBe(expected);
  expect(hashes).toBe((expected ?? 0) + 1);
});

test('a search ends when it is told to', async () => {
  const controller = new AbortController();
  controller.abort();
  const searcher = createNonceSearcher(fakeHasher());
  expect(await searcher.search({ ...base, signal: controller.signal })).toEqual({ hashes: 0 });
});
