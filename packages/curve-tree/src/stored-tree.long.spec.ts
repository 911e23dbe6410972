import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@monero-node/base';
import { type ChainStore, createMemoryStore, openLmdbStore } from '@monero-node/storage';
import { CurveTree } from './curve-tree.ts';
import { MemoryTreeStore } from './memory-store.ts';
import type { ScheduledOutput } from './schedule.ts';
import { contentsOf } from './testing/contents.ts';
import { TOY_HASHER } from './testing/toy-hasher.ts';

const SHAPE = { leaves: 3, helios: 2, selene: 3 };
const OPTIONS = { hasher: TOY_HASHER, shape: SHAPE };
/** Blocks for which an output waits at the most. */
const LONGEST_LOCK = 12;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stored-tree-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const STORES: Record<string, () => Promise<ChainStore>> = {
  memory: () => Promise.resolve(createMemoryStore()),
  lmdb: () => openLmdbStore({ path: folder, syncMode: 'fastest' }),
};

test.each(Object.keys(STORES))(
  'a tree in the store %s is that in memory, whatever is added and taken back in one commit',
  async (name) => {
    const random = seededRandom(45);
    const below = (limit: number): number => Math.floor(random() * limit);
    let store = await (STORES[name] as (typeof STORES)[string])();
    const judge = new MemoryTreeStore();
    const tree = new CurveTree(judge, OPTIONS);
    const blocks: ScheduledOutput[][] = [];
    const newBlock = (height: number) =>
      Array.from({ length: below(7) }, (): ScheduledOutput => {
        const key = Uint8Array.from({ length: 32 }, () => below(256));
        const kind = below(2) === 0 ? 'legacy' : 'carrot';
        const later = below(3) === 0 ? below(LONGEST_LOCK) : 0;
        return { key, kind, commitment: key, entersAt: BigInt(height + 9 + later) };
      });
    for (let round = 0; round < 60; round++) {
      const popped = Array.from({ length: Math.min(below(8), blocks.length) }, () => blocks.pop());
      const added = Array.from({ length: below(9) }, (_, i) => newBlock(blocks.length + i));
      const change = function* (target: CurveTree): Generator<undefined, void> {
        for (const outputs of popped) {
          target.takeBack(outputs ?? []);
          yield;
        }
        for (const outputs of added) {
          target.addBlock(outputs);
          yield;
        }
      };
      blocks.push(...added);
      for (const step of change(tree)) expect(step).toBeUndefined();
      await store.commit({ tree: (staged) => change(new CurveTree(staged, OPTIONS)) });
      const last = blocks.length + 9 + LONGEST_LOCK;
      expect(contentsOf(store.tree, SHAPE, last)).toEqual(contentsOf(judge, SHAPE, last));
      if (name !== 'lmdb' || round % 20 > 0) continue;
      await store.close();
      store = await openLmdbStore({ path: folder, syncMode: 'fastest' });
    }
    await store.close();
  },
);
