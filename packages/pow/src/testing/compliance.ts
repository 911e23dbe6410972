import { createHash } from 'node:crypto';
import { sampleSize } from '@monero-node/base/testing';
import type { FamilyHasher } from '../composite-hasher.ts';
import type { RandomxRequest } from '../pow-hasher.ts';

type Hasher = FamilyHasher<RandomxRequest>;

/** Hashes compared with another engine; POW_DIFFERENTIAL=1000 compares more. */
const COUNT = Number(process.env['POW_DIFFERENTIAL'] ?? sampleSize({ usual: 2, whole: 16 }));
/** Seeds that they are spread over, one after the other. The first is that of a vector, which the engine has ready. */
const SEEDS = sampleSize({ usual: 1, whole: 2 });

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Key, input and hash of the reference implementation's tests (RandomX src/tests/tests.cpp). */
const VECTORS: readonly (readonly [key: string, input: string, hash: string])[] = [
  [
    'test key 000',
    'This is a test',
    '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f',
  ],
  [
    'test key 000',
    'Lorem ipsum dolor sit amet',
    '300a0adb47603dedb42228ccb2b211104f4da45af709cd7547cd049e9489c969',
  ],
  [
    'test key 000',
    'sed do eiusmod tempor incididunt ut labore et dolore magna aliqua',
    'c36d4ed4191e617309867ed66a443be4075014e2b061bcdaf9ce7b721d2b77a8',
  ],
  [
    'test key 001',
    'sed do eiusmod tempor incididunt ut labore et dolore magna aliqua',
    'e9ff4503201c0c2cca26d285c93ae883f9b1d30c9eb240b820756f2d5a7905fc',
  ],
];
/** A block hashing blob for the key 'test key 001', also from there. */
const HEADER_KEY = 'test key 001';
const HEADER =
  '0b0b98bea7e805e0010a2126d287a2a0cc833d312cb786385a7c2f9de69d25537f584a9bc9977b00000000' +
  '666fd8753bf61a8631f12984e3fd44f4014eca629276817b56f32e9b68bd82f416';
const HEADER_HASH = 'c56414121acda1713c2f2a819d8ae38aed7c80c35c2a769298d34f03833cd5f1';

/** The same in every run; of the lengths of real blobs, and others. */
function blobOf(index: number): Uint8Array {
  const digest = createHash('sha512').update(`blob ${index}`).digest();
  const noise = Buffer.concat([digest, digest, digest, digest]);
  return noise.subarray(0, index % 3 === 2 ? noise.readUInt8(0) : 76 + (index % 3));
}

/**
 * The behavior required of every RandomX engine.
 *
 * @param reference another engine to compare with; undefined where there is none.
 */
export function describeRandomxCompliance(
  name: string,
  create: () => Hasher,
  reference: (() => Hasher) | undefined,
): void {
  describe(`${name} is RandomX`, () => {
    let hasher: Hasher;
    beforeAll(() => {
      hasher = create();
    });
    afterAll(() => hasher.close());
    const hash = async (key: Uint8Array, blob: Uint8Array, by = hasher) =>
      hex(await by.hash({ kind: 'randomx', seedHash: key, blob }));

    // First: an engine with one cache then has that of the first vector, made from a view.
    test('bytes of the caller are left alone, whatever they are a view of', async () => {
      const [key, input, expected] = VECTORS[0] as (typeof VECTORS)[number];
      const buffer = new Uint8Array(100_000).fill(7);
      buffer.set(utf8(key), 10);
      buffer.set(utf8(input), 50_000);
      const before = Uint8Array.from(buffer);
      const seed = buffer.subarray(10, 10 + key.length);
      expect(await hash(seed, buffer.subarray(50_000, 50_000 + input.length))).toBe(expected);
      expect(buffer).toEqual(before);
    });

    test('published vectors, asked for at once', async () => {
      const hashes = VECTORS.map(([key, input]) => hash(utf8(key), utf8(input)));
      expect(await Promise.all(hashes)).toEqual(VECTORS.map(([, , expected]) => expected));
      expect(await hash(utf8(HEADER_KEY), Buffer.from(HEADER, 'hex'))).toBe(HEADER_HASH);
    });

    if (reference) {
      test(`${COUNT} hashes are those of another engine`, async () => {
        const other = reference();
        try {
          for (let i = 0; i < COUNT; i++) {
            const number = Math.floor((SEEDS * i) / COUNT);
            const seed =
              number === 0
                ? utf8(HEADER_KEY)
                : createHash('sha256').update(`seed ${number}`).digest();
            const blob = blobOf(i);
            const [mine, theirs] = await Promise.all([hash(seed, blob), hash(seed, blob, other)]);
            expect([i, mine]).toEqual([i, theirs]);
          }
        } finally {
          await other.close();
        }
      }, 3_600_000);
    }

    test('a closed engine refuses, and may be closed again', async () => {
      const closing = create();
      await closing.close();
      await closing.close();
      const request = { kind: 'randomx', seedHash: utf8('k'), blob: utf8('x') } as const;
      await expect(closing.hash(request)).rejects.toMatchObject({
        name: 'PowUnavailableError',
        code: 'closed',
      });
    });
  });
}
