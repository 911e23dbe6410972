import { sampleSize } from '@monero-node/base/testing';
import { loadRandomxAddon } from './addon.ts';
import { itemSource } from './item-source.ts';

const addon = loadRandomxAddon();
const paths = addon?.itemPaths() ?? [];
const KEY = new TextEncoder().encode('test key 000');
/** The first word of dataset items of that key (RandomX src/tests/tests.cpp). */
const VECTORS: readonly (readonly [item: number, word: bigint])[] = [
  [0, 0x680588a85ae222dbn],
  [10000000, 0x7943a1f6186ffb72n],
  [20000000, 0x9035244d718095e1n],
  [30000000, 0x145a5091f7853099n],
];
const LAST = 34_078_718;

test('vector code is offered on Linux alone, where the bytes of a cache can be read', () => {
  const unexpected = process.platform === 'linux' ? [] : paths;
  expect(unexpected).toEqual([]);
});

(paths.length > 0 ? describe : describe.skip)('vector code for dataset items', () => {
  const opened = (async () => {
    const cache = await addon!.initCache('rx/0', KEY, 0);
    const { programs } = await itemSource(addon!, KEY);
    return { cache, programs };
  })();

  afterAll(async () => addon!.release((await opened).cache));

  test.each(paths)('%s computes the published items', async (path) => {
    const { cache, programs } = await opened;
    for (const [item, word] of VECTORS) {
      const bytes = await addon!.items(cache, path, programs, item, 1);
      expect(bytes.length).toBe(64);
      expect(Buffer.from(bytes).readBigUInt64LE()).toBe(word);
    }
  });

  test('all paths compute the same items, however many at once', async () => {
    const { cache, programs } = await opened;
    const count = sampleSize({ usual: 300, whole: 60_000 });
    for (const first of [0, 12_345_677, LAST - count]) {
      const [all, ...others] = await Promise.all(
        paths.map((path) => addon!.items(cache, path, programs, first, count)),
      );
      for (const other of others) expect(Buffer.compare(other, all!)).toBe(0);
      const one = await addon!.items(cache, paths[0]!, programs, first + count - 1, 1);
      expect(Buffer.compare(one, all!.subarray(-64))).toBe(0);
    }
  });

  test('refuses programs that are not whole, or not in range', async () => {
    const { cache, programs } = await opened;
    const changed = (at: number, byte: number): Uint8Array => {
      const copy = programs.slice();
      copy[at] = byte;
      return copy;
    };
    const bad = [
      ...[programs.subarray(1), programs.subarray(0, -1), new Uint8Array(0)],
      ...[Uint8Array.of(...programs, 0), changed(1, 255), changed(2, 8)],
      ...[changed(3, 14), changed(4, 8), changed(5, 8), changed(6, 64)],
    ];
    for (const bytes of bad) {
      expect(() => addon!.items(cache, paths[0]!, bytes, 0, 1)).toThrow(TypeError);
    }
    expect(() => addon!.items(cache, 'sse2', programs, 0, 1)).toThrow(TypeError);
    expect(() => addon!.items(cache, paths[0]!, programs, 0, 65_537)).toThrow(TypeError);
  });
});
