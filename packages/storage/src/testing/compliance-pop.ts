import type { StoreHarness } from './store-harness.ts';
import { dumpStore, type DumpProbes } from './dump.ts';
import { RandomChain } from './random-chain.ts';
import { changeOf } from './loose-block.ts';
import type { LooseBlock } from '../record-objects.ts';

export function probesOf(blocks: readonly LooseBlock[]): DumpProbes {
  return {
    keyImages: blocks.flatMap(({ keyImages }) => keyImages),
    txIds: blocks.flatMap(({ txs }) => txs.map(({ id }) => id)),
    blockIds: blocks.map(({ meta }) => meta.id),
  };
}

export function describeReorganization(current: () => StoreHarness): void {
  describe('popping', () => {
    test('takes back exactly what appending added', async () => {
      const { store, rawDump } = current();
      const blocks = new RandomChain('pop').blocks(0, 30);
      const probes = probesOf(blocks);
      const dumps: string[] = [];
      const raw: string[] = [];
      for (let height = 0; height < 30; height += 5) {
        dumps.push(dumpStore(store, probes));
        raw.push(rawDump());
        await store.commit(changeOf({ append: blocks.slice(height, height + 5) }));
      }
      for (let height = 25; height >= 0; height -= 5) {
        await store.commit({ popTo: height });
        expect(store.height).toBe(height);
        expect(dumpStore(store, probes)).toEqual(dumps.pop());
        expect(rawDump()).toEqual(raw.pop());
      }
    });

    test('a reorganization in one commit leaves the same as one that never went astray', async () => {
      const { store, rawDump } = current();
      const chain = new RandomChain('main');
      const common = chain.blocks(0, 10);
      const branch = new RandomChain('branch').blocks(10, 8);
      const main = chain.blocks(10, 5);
      await store.commit(changeOf({ append: [...common, ...branch] }));
      const straight = [dumpStore(store, probesOf(main)), rawDump()];
      await store.commit(changeOf({ popTo: 10, append: main }));
      expect(store.height).toBe(15);
      const old = branch[7];
      expect(old && store.heightOf(old.meta.id)).toBeUndefined();
      await store.commit(changeOf({ popTo: 10, append: branch }));
      expect([dumpStore(store, probesOf(main)), rawDump()]).toEqual(straight);
    });

    test('what was popped may come back at another height in the same commit', async () => {
      const { store } = current();
      const chain = new RandomChain('again');
      const blocks = chain.blocks(0, 6);
      await store.commit(changeOf({ append: blocks }));
      const [popped] = blocks.slice(5);
      if (popped === undefined) throw new Error('six blocks were made');
      const between = chain.block(5);
      const later = { ...popped, meta: { ...popped.meta, height: 6, id: chain.random.bytes(32) } };
      await store.commit(changeOf({ popTo: 5, append: [between, later] }));
      for (const keyImage of popped.keyImages) expect(store.keyImageHeight(keyImage)).toBe(6);
      popped.txs.forEach(({ id }, position) => {
        expect(store.txLocation(id)).toEqual({ height: 6, position });
      });
      expect(store.heightOf(popped.meta.id)).toBeUndefined();
    });

    test('the same block may be popped and appended in one commit', async () => {
      const { store, rawDump } = current();
      const blocks = new RandomChain('same').blocks(0, 8);
      await store.commit(changeOf({ append: blocks }));
      const before = [dumpStore(store, probesOf(blocks)), rawDump()];
      await store.commit(changeOf({ popTo: 3, append: blocks.slice(3) }));
      expect([dumpStore(store, probesOf(blocks)), rawDump()]).toEqual(before);
    });

    test('popping nothing changes nothing', async () => {
      const { store, rawDump } = current();
      const blocks = new RandomChain('none').blocks(0, 3);
      await store.commit(changeOf({ append: blocks }));
      const before = rawDump();
      await store.commit({ popTo: 3 });
      await store.commit({});
      expect(rawDump()).toEqual(before);
    });

    test('removes key images that no base form contains', async () => {
      const { store, rawDump } = current();
      const chain = new RandomChain('strangers');
      const [first, second] = chain.blocks(0, 2);
      if (first === undefined || second === undefined) throw new Error('two blocks were made');
      await store.commit(changeOf({ append: [first] }));
      const before = rawDump();
      const stranger = chain.random.bytes(32);
      // In an order that has nothing to do with the transactions.
      const keyImages = [stranger, ...[...second.keyImages].reverse(), chain.random.bytes(32)];
      await store.commit(changeOf({ append: [{ ...second, keyImages }] }));
      for (const keyImage of keyImages) expect(store.keyImageHeight(keyImage)).toBe(1);
      await store.commit({ popTo: 1 });
      for (const keyImage of keyImages) expect(store.keyImageHeight(keyImage)).toBeUndefined();
      expect(rawDump()).toEqual(before);
    });
  });
}
