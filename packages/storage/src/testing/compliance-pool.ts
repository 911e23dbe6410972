import type { ChainStore } from '../chain-store.ts';
import type { NewPoolTx } from '../pool-store.ts';
import type { StoreHarness } from './store-harness.ts';
import { dumpStore } from './dump.ts';
import { RandomChain } from './random-chain.ts';
import { changeOf } from './loose-block.ts';

export function describePool(current: () => StoreHarness): void {
  describe('the transaction pool', () => {
    test('takes, replaces, lists and gives up transactions', async () => {
      const { store } = current();
      const chain = new RandomChain('pool');
      const txs = Array.from({ length: 40 }, () => chain.poolTx());
      await store.commit({ putPool: txs });
      expect(poolOf(store)).toEqual(sorted(txs));
      const [first, second] = txs as [NewPoolTx, NewPoolTx];
      const changed = { ...first, blob: chain.random.bytes(10), meta: second.meta };
      await store.commit({ putPool: [changed], removePool: [second.id, chain.random.bytes(32)] });
      expect(poolOf(store)).toEqual(sorted([changed, ...txs.slice(2)]));
      expect(store.poolBlob(second.id)).toBeUndefined();
      // Removing comes first.
      await store.commit({ putPool: [second], removePool: [second.id] });
      expect(store.poolBlob(second.id)).toEqual(second.blob);
    });

    test('lists all transactions, however many there are', async () => {
      const { store } = current();
      const chain = new RandomChain('large pool');
      const txs = Array.from({ length: 2500 }, () => ({
        ...chain.poolTx(),
        blob: Uint8Array.of(1),
      }));
      await store.commit({ putPool: txs });
      expect(poolOf(store)).toEqual(sorted(txs));
    });

    test('changes records and leaves the bytes', async () => {
      const { store } = current();
      const chain = new RandomChain('pool records');
      const [a, b, gone, stranger] = [
        chain.poolTx(),
        chain.poolTx(),
        chain.poolTx(),
        chain.poolTx(),
      ];
      await store.commit({ putPool: [a, gone] });
      await store.commit({
        removePool: [gone.id],
        putPool: [b],
        updatePool: [
          { id: a.id, meta: b.meta },
          { id: b.id, meta: a.meta },
          { id: gone.id, meta: a.meta },
          { id: stranger.id, meta: a.meta },
        ],
      });
      expect(poolOf(store)).toEqual(
        sorted([
          { ...a, meta: b.meta },
          { ...b, meta: a.meta },
        ]),
      );
    });

    test('changes in the same commit as the chain, or not at all', async () => {
      const { store } = current();
      const chain = new RandomChain('pool and chain');
      const blocks = chain.blocks(0, 4);
      const [old, made] = [chain.poolTx(), chain.poolTx()];
      await store.commit(changeOf({ append: blocks.slice(0, 3), putPool: [old] }));
      const refused = store.commit(
        changeOf({
          append: blocks.slice(0, 1),
          removePool: [old.id],
          putPool: [made],
        }),
      );
      await expect(refused).rejects.toMatchObject({ code: 'bad-height' });
      expect(poolOf(store)).toEqual([old]);
      await store.commit(
        changeOf({ append: blocks.slice(3), removePool: [old.id], putPool: [made] }),
      );
      expect(store.height).toBe(4);
      expect(poolOf(store)).toEqual([made]);
      await store.commit({ popTo: 0 });
      expect(poolOf(store)).toEqual([made]);
    });

    test('gives away copies and keeps its own', async () => {
      const { store } = current();
      const chain = new RandomChain('pool copies');
      const txs = [chain.poolTx(), chain.poolTx(), chain.poolTx()];
      await store.commit({ putPool: txs });
      const before = dumpStore(store);
      for (const tx of [...txs, ...poolOf(store)]) {
        for (const bytes of [tx.id, tx.blob, tx.meta.maxUsedBlockId, tx.meta.lastFailedId]) {
          bytes.fill(0xee);
        }
        tx.meta.verified?.ring.fill(0xee);
        tx.meta.weight = 0;
      }
      expect(dumpStore(store)).toEqual(before);
    });
  });
}

function poolOf(store: ChainStore): NewPoolTx[] {
  return sorted(
    [...store.poolTxs()].map((tx) => ({ ...tx, blob: store.poolBlob(tx.id) ?? new Uint8Array() })),
  );
}

function sorted(txs: readonly NewPoolTx[]): NewPoolTx[] {
  return [...txs].sort((a, b) => Buffer.compare(a.id, b.id));
}
