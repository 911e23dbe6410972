import type { StoreHarness } from './store-harness.ts';
import { RandomChain } from './random-chain.ts';
import { changeOf } from './loose-block.ts';
import type { LooseBlock } from '../record-objects.ts';

/** Dropping the prunable parts of transactions. */
export function describePruning(harness: () => StoreHarness): void {
  describe('pruning', () => {
    const EMPTY = new Uint8Array();
    let blocks: LooseBlock[];
    beforeEach(async () => {
      blocks = new RandomChain('pruning').blocks(0, 6);
      await harness().store.commit(changeOf({ append: blocks }));
    });

    test('drops prunable parts and leaves everything else', async () => {
      const { store } = harness();
      const before = store.blockTxs(2);
      expect(before.some(({ prunable }) => prunable.length > 0)).toBe(true);
      await store.commit({ prune: [2, 4] });
      expect(store.blockTxs(2)).toEqual(
        before.map((tx) =>
          tx.prunable.length === 0 ? tx : { ...tx, prunable: EMPTY, dropped: true },
        ),
      );
      const position = before.findIndex(({ prunable }) => prunable.length > 0);
      expect(store.tx(2, position)).toMatchObject({ prunable: EMPTY, dropped: true });
      expect(store.blockTxs(3).every((tx) => tx.dropped === undefined)).toBe(true);
      expect(store.blockTxs(3)).toEqual(blocks[3]?.txs);
    });

    test('leaves the signatures of version 1 transactions', async () => {
      const { store } = harness();
      const [last] = blocks.slice(-1) as [LooseBlock];
      const [tx] = last.txs;
      if (tx === undefined) throw new Error('a block has a coinbase');
      const old = { ...tx, prunable: new Uint8Array(64).fill(1), prunableHash: new Uint8Array(32) };
      await store.commit(
        changeOf({ popTo: 5, append: [{ ...last, txs: [old, ...last.txs.slice(1)] }] }),
      );
      await store.commit({ prune: [5] });
      expect(store.tx(5, 0)).toEqual(old);
    });

    test('twice is as good as once', async () => {
      const { store } = harness();
      await store.commit({ prune: [1] });
      const once = store.blockTxs(1);
      await store.commit({ prune: [1, 1] });
      expect(store.blockTxs(1)).toEqual(once);
    });

    test('a pruned block can be popped, and appended again whole', async () => {
      const { store } = harness();
      await store.commit({ prune: [4, 5] });
      await store.commit({ popTo: 4 });
      await store.commit(changeOf({ append: blocks.slice(4) }));
      expect(store.blockTxs(5)).toEqual(blocks[5]?.txs);
      expect(store.height).toBe(6);
    });

    test('a block can be appended without its prunable parts', async () => {
      const { store } = harness();
      const [last] = blocks.slice(-1) as [LooseBlock];
      const txs = last.txs.map((tx) => ({ ...tx, prunable: EMPTY, dropped: true as const }));
      await store.commit(changeOf({ popTo: 5, append: [{ ...last, txs }] }));
      expect(store.blockTxs(5)).toEqual(txs);
    });

    test.each([6, -1, 1.5])('refuses to prune block %d of six', async (height) => {
      const { store } = harness();
      await expect(store.commit({ prune: [height] })).rejects.toMatchObject({ code: 'bad-height' });
    });

    test('refuses a dropped part with bytes', async () => {
      const { store } = harness();
      const [last] = blocks.slice(-1) as [LooseBlock];
      const txs = last.txs.map((tx) => ({
        ...tx,
        prunable: new Uint8Array(1),
        dropped: true as const,
      }));
      await expect(
        store.commit(changeOf({ popTo: 5, append: [{ ...last, txs }] })),
      ).rejects.toMatchObject({
        code: 'bad-record',
      });
    });
  });
}
