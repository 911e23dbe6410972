import { sampleSize } from '@monero-node/base/testing';
import { blake2b } from '@noble/hashes/blake2.js';
import { loadRandomxAddon } from '../native/addon.ts';
import { createCache, createCacheMemory } from './cache.ts';
import { RandomxMachine } from './virtual-machine.ts';

// POW_DIFFERENTIAL=1000 compares more hashes than the tests do, POW_DIFFERENTIAL_SEED=name others.
const COUNT = Number(process.env['POW_DIFFERENTIAL'] ?? sampleSize({ usual: 6, whole: 64 }));
const NAME = process.env['POW_DIFFERENTIAL_SEED'] ?? 'randomx';
/** Hashes for each seed. */
const SERIES = 1000;

const addon = loadRandomxAddon();
const bytes = (text: string, size: number) =>
  blake2b(new TextEncoder().encode(`${NAME} ${text}`), { dkLen: size });
const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

/** As long as a block hashing blob, or of any length below 200. */
function blobOf(index: number): Uint8Array {
  const source = Buffer.concat([0, 1, 2, 3].map((part) => bytes(`blob ${index} ${part}`, 64)));
  return source.subarray(0, index % 4 === 3 ? (source[0] as number) % 200 : 76 + (index % 3));
}

const series = Array.from({ length: Math.ceil(COUNT / SERIES) }, (_, i) => i);

(addon ? describe : describe.skip)('hashes are those of librandomx', () => {
  const memory = addon && createCacheMemory();
  const machine = addon && new RandomxMachine();

  test.each(series)(
    'series %i',
    async (number) => {
      if (!addon || !memory || !machine) throw new Error('skipped');
      const seed = bytes(`seed ${number}`, 32);
      machine.use(createCache(memory, seed));
      const handle = await addon.initCache('rx/0', seed, 0);
      for (let i = SERIES * number; i < Math.min(COUNT, SERIES * (number + 1)); i++) {
        const blob = blobOf(i);
        expect([i, hex(machine.hash(blob))]).toEqual([i, hex(await addon.hash(handle, blob))]);
      }
      await addon.release(handle);
    },
    3_600_000,
  );
});
