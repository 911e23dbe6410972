import type { BlockMeta } from '../../records.ts';
import { numberedBlock } from '../../testing/numbered-chain.ts';
import { MetaCache } from './meta-row.ts';

const metaAt = (height: number, weight = 1): BlockMeta => ({
  ...numberedBlock(height).meta,
  weight,
});

test('appended blocks are not read again, and popped ones are forgotten', () => {
  const cache = new MetaCache();
  const read: number[] = [];
  const stored = new Map<number, BlockMeta>();
  const get = (height: number): number | undefined =>
    cache.get(height, (at) => {
      read.push(at);
      return stored.get(at);
    })?.weight;
  const change = (height: number, base: number, appended: readonly BlockMeta[]): void => {
    for (let at = base; at < height; at++) stored.delete(at);
    for (const meta of appended) stored.set(meta.height, meta);
    cache.change(height, base, appended);
  };
  change(0, 0, [metaAt(0), metaAt(1), metaAt(2)]);
  expect([get(0), get(1), get(2), get(3)]).toEqual([1, 1, 1, undefined]);
  expect(read).toEqual([3]);
  change(3, 1, [metaAt(1, 7)]);
  expect([get(0), get(1), get(2)]).toEqual([1, 7, undefined]);
  expect(read).toEqual([3, 2]);
  change(2, 0, []);
  expect([get(0), get(1)]).toEqual([undefined, undefined]);
});

test('a change of thousands of blocks is followed, and only the newest are kept', () => {
  const cache = new MetaCache();
  const many = Array.from({ length: 5000 }, (_, height) => metaAt(height));
  cache.change(0, 0, many);
  const read: number[] = [];
  const get = (height: number) =>
    cache.get(height, (at) => {
      read.push(at);
      return undefined;
    });
  expect(get(4999)?.height).toBe(4999);
  expect(get(4999 - 2048)).toBeUndefined();
  expect(read).toEqual([4999 - 2048]);
  cache.change(5000, 10, []);
  expect(get(4999)).toBeUndefined();
});

test('what a caller does to its copy, or to the block that it stored, changes nothing', () => {
  const cache = new MetaCache();
  const meta = metaAt(0);
  const id = meta.id.slice();
  cache.change(0, 0, [meta]);
  meta.id.fill(9);
  cache.get(0, () => undefined)?.id.fill(8);
  expect(cache.get(0, () => undefined)?.id).toEqual(id);
});
