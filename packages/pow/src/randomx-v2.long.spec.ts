import { sampled } from '@monero-node/base/testing';
import type { FamilyHasher } from './composite-hasher.ts';
import { loadRandomxAddon, RANDOMX_FLAGS } from './native/addon.ts';
import { NativeRandomxHasher } from './native/hasher.ts';
import { NativeVersions } from './native/versions.ts';
import type { RandomxRequest } from './pow-hasher.ts';
import { randomxCommitment } from './randomx.ts';
import { createRandomxWasmHasher } from './randomx-wasm/hasher.ts';
import { randomxV2Vectors, type RandomxV2Vector } from './testing/randomx-v2-vectors.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const vectors = randomxV2Vectors();
const MINUTES = 600_000;

/** A block hashing blob and its hashes of the reference implementation's tests (src/tests/tests.cpp, test 1e). */
const HEADER: Omit<RandomxV2Vector, 'commitment'> = {
  key: Buffer.from('test key 001'),
  input: Buffer.from(
    '0b0b98bea7e805e0010a2126d287a2a0cc833d312cb786385a7c2f9de69d25537f584a9bc9977b00000000' +
      '666fd8753bf61a8631f12984e3fd44f4014eca629276817b56f32e9b68bd82f416',
    'hex',
  ),
  v1: 'c56414121acda1713c2f2a819d8ae38aed7c80c35c2a769298d34f03833cd5f1',
  v2: 'c8e92c5f7c1946fecf06bc382b92e3111da38ee3e6a5ad90704e1a9d8aaf6e76',
};

test('the file has the vectors of all lengths', () => {
  expect(vectors).toHaveLength(216);
  expect(new Set(vectors.map(({ key }) => hex(key))).size).toBe(6);
});

test('commitments', () => {
  const computed = vectors.map(({ input, v2 }) =>
    hex(randomxCommitment(input, Buffer.from(v2, 'hex'))),
  );
  expect(computed).toEqual(vectors.map(({ commitment }) => commitment));
});

/** Hashes of both versions in turn, so that one machine switches between them. */
function describeV2(
  name: string,
  some: readonly Omit<RandomxV2Vector, 'commitment'>[],
  create: () => FamilyHasher<RandomxRequest>,
): void {
  test(
    `${name}: both versions of ${some.length} vectors, from the same caches`,
    async () => {
      const hasher = create();
      try {
        for (const { key, input, v1, v2 } of some) {
          const hash = async (kind: RandomxRequest['kind']) =>
            hex(await hasher.hash({ kind, seedHash: key, blob: input }));
          const got = [await hash('randomx-v2'), await hash('randomx'), await hash('randomx-v2')];
          expect([hex(input), ...got]).toEqual([hex(input), v2, v1, v2]);
        }
      } finally {
        await hasher.close();
      }
    },
    10 * MINUTES,
  );
}

describeV2('WebAssembly', [HEADER, ...sampled(vectors, 43)], () =>
  createRandomxWasmHasher({ threads: 1 }),
);

const addon = loadRandomxAddon();
if (addon === undefined) {
  test.skip('the native engine (skipped: it was not built)', () => undefined);
} else {
  // With a librandomx that has no version 2 these are hashes of the fallback.
  const createFallback = () => createRandomxWasmHasher({ threads: 1 });
  const native = (disabledFlags: number) => () =>
    new NativeVersions(new NativeRandomxHasher(addon, 1, { disabledFlags }), { createFallback });
  const few = sampled(vectors, 72);
  describeV2('native', few, native(0));
  describeV2('native without the compiler', few, native(RANDOMX_FLAGS.jit | RANDOMX_FLAGS.hardAes));
}
