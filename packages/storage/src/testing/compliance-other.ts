import { keepBusy } from '@monero-node/base/testing';
import type { ChainStore } from '../chain-store.ts';
import type { StoreHarness } from './store-harness.ts';
import { dumpStore } from './dump.ts';
import { RandomChain } from './random-chain.ts';
import { changeOf } from './loose-block.ts';

export function describeSmallThings(current: () => StoreHarness): void {
  describe('alternative blocks', () => {
    test('are put, replaced, listed and removed', async () => {
      const { store } = current();
      const chain = new RandomChain('alt');
      const [a, b, c] = [chain.altBlock(3), chain.altBlock(4), chain.altBlock(1_000_000)];
      await store.commit({ putAlt: [a, b, c] });
      expect(store.altBlock(b.id)).toEqual(b);
      expect(byHeight(store)).toEqual([a, b, c]);
      const heavier = { ...b, weight: b.weight + 1, txs: [] };
      await store.commit({ putAlt: [heavier], removeAlt: [a.id, chain.random.bytes(32)] });
      expect(byHeight(store)).toEqual([heavier, c]);
      expect(store.altBlock(a.id)).toBeUndefined();
      // Removing comes first.
      await store.commit({ putAlt: [b], removeAlt: [b.id] });
      expect(store.altBlock(b.id)).toEqual(b);
    });

    test('change in the same commit as the chain', async () => {
      const { store } = current();
      const chain = new RandomChain('alt and main');
      const blocks = chain.blocks(0, 4);
      const [old, made] = [chain.altBlock(2), chain.altBlock(3)];
      await store.commit(changeOf({ append: blocks, putAlt: [old] }));
      await store.commit(
        changeOf({
          popTo: 2,
          append: chain.blocks(2, 3),
          putAlt: [made],
          removeAlt: [old.id],
        }),
      );
      expect(store.height).toBe(5);
      expect(store.altBlocks()).toEqual([made]);
      expect(store.altBlockCount).toBe(1);
    });
  });

  describe('reading ahead', () => {
    test('changes nothing, whatever is asked for', async () => {
      const { store } = current();
      const chain = new RandomChain('ahead', { txs: 40, v1Share: 0.5, prunableSize: 10 });
      const blocks = chain.blocks(0, 6);
      await store.commit(changeOf({ append: blocks }));
      const unknown = chain.random.bytes(32);
      const probes = {
        txIds: [...blocks.flatMap(({ txs }) => txs.map(({ id }) => id)), unknown],
        keyImages: [...blocks.flatMap(({ keyImages }) => keyImages), unknown],
      };
      const before = dumpStore(store, probes);
      const lists = [...store.amounts()].map(
        ({ amount, count }) => [amount, Array.from({ length: count + 5 }, (_, i) => i)] as const,
      );
      const odd = [-1, 0.5, 2 ** 32, Number.MAX_SAFE_INTEGER];
      const outputs = new Map([...lists, [77n, [0, 1]], [-1n, [0]], [2n ** 64n, [0]], [5n, odd]]);
      const short = new Uint8Array(31);
      const { txIds, keyImages } = probes;
      await store.prefetch(() => ({
        txIds: [...txIds, short],
        keyImages: [...keyImages, short],
        outputs,
      }));
      await store.prefetch(() => ({ txIds: [], keyImages: [], outputs: new Map() }));
      expect(dumpStore(store, probes)).toEqual(before);
    });

    test('while the store is closed does no harm', async () => {
      const { store } = current();
      const blocks = new RandomChain('ahead and close').blocks(0, 20);
      await store.commit(changeOf({ append: blocks }));
      const txIds = blocks.flatMap(({ txs }) => txs.map(({ id }) => id));
      const lookups = () => ({ txIds, keyImages: [], outputs: new Map() });
      const reads = Array.from({ length: 50 }, () => store.prefetch(lookups));
      await store.close();
      await Promise.all([...reads, store.prefetch(lookups)]);
    });
  });

  describe('properties', () => {
    test('are set, replaced and removed', async () => {
      const { store } = current();
      await store.setProperty('a', Uint8Array.of(1, 2));
      await store.setProperty('b', new Uint8Array());
      await store.setProperty('ä'.repeat(127), Uint8Array.of(3));
      expect(store.property('a')).toEqual(Uint8Array.of(1, 2));
      expect(store.property('b')).toEqual(new Uint8Array());
      expect(store.property('ä'.repeat(127))).toEqual(Uint8Array.of(3));
      await store.setProperty('a', Uint8Array.of(9));
      await store.setProperty('b', undefined);
      expect(store.property('a')).toEqual(Uint8Array.of(9));
      expect(store.property('b')).toBeUndefined();
    });

    test('need a name of sensible length', async () => {
      const { store } = current();
      for (const name of ['', 'x'.repeat(256), 'ä'.repeat(128)]) {
        expect(store.property(name)).toBeUndefined();
        await expect(store.setProperty(name, Uint8Array.of(1))).rejects.toMatchObject({
          code: 'bad-record',
        });
      }
    });
  });

  describe('reading', () => {
    test('strange arguments find nothing', async () => {
      const { store } = current();
      await store.commit(changeOf({ append: new RandomChain('strange').blocks(0, 3) }));
      for (const height of [-1, 0.5, NaN, 3, 2 ** 32, 2 ** 53, Infinity]) {
        expect(store.blockMeta(height)).toBeUndefined();
        expect(store.blockBlob(height)).toBeUndefined();
        expect(store.blockTxs(height)).toEqual([]);
        expect(store.tx(height, 0)).toBeUndefined();
        expect(store.txBase(height, 0)).toBeUndefined();
        expect(store.outputIndices(height, 0)).toEqual([]);
        if (height !== 3) expect(store.output(0n, height)).toBeUndefined();
      }
      for (const position of [-1, 0.5, NaN, 2 ** 32]) {
        expect(store.tx(0, position)).toBeUndefined();
        expect(store.txBase(0, position)).toBeUndefined();
        expect(store.outputIndices(0, position)).toEqual([]);
      }
      for (const id of [new Uint8Array(), new Uint8Array(31), new Uint8Array(5000)]) {
        expect(store.heightOf(id)).toBeUndefined();
        expect(store.txLocation(id)).toBeUndefined();
        expect(store.keyImageHeight(id)).toBeUndefined();
        expect(store.altBlock(id)).toBeUndefined();
        expect(store.poolBlob(id)).toBeUndefined();
      }
      for (const amount of [-1n, 1n << 64n]) {
        expect(store.output(amount, 0)).toBeUndefined();
        expect(store.outputOrigin(amount, 0)).toBeUndefined();
        expect(store.outputCount(amount)).toBe(0);
      }
      for (const below of [-1, NaN]) expect(store.outputCount(0n, below)).toBe(0);
    });

    test('results are the caller’s own, and records stay the caller’s', async () => {
      const { store } = current();
      const chain = new RandomChain('own');
      const blocks = chain.blocks(0, 3);
      const alt = chain.altBlock(2);
      await store.commit(changeOf({ append: blocks, putAlt: [alt] }));
      const before = dumpStore(store);
      for (const block of blocks) {
        scribble([block.meta.id, block.blob, ...block.keyImages]);
        for (const tx of block.txs) scribble([tx.id, tx.pruned, tx.prunable, tx.prunableHash]);
        for (const { key, commitment } of block.outputs.flat()) scribble([key, commitment]);
      }
      scribble([alt.id, alt.prevId, alt.blob, ...alt.txs]);
      expect(dumpStore(store)).toEqual(before);
      scribbleOverResults(store);
      expect(dumpStore(store)).toEqual(before);
    });

    test('earlier results outlast later reads and commits', async () => {
      const { store } = current();
      const chain = new RandomChain('outlast');
      const blocks = chain.blocks(0, 5);
      await store.commit(changeOf({ append: blocks }));
      const kept = blocks.map(({ meta }) => ({
        meta: store.blockMeta(meta.height),
        blob: store.blockBlob(meta.height),
        txs: store.blockTxs(meta.height),
      }));
      await store.commit(changeOf({ popTo: 1, append: chain.blocks(1, 50) }));
      dumpStore(store);
      expect(kept).toEqual(blocks.map(({ meta, blob, txs }) => ({ meta, blob, txs })));
    });
  });

  describe('committing', () => {
    test('reads show nothing of a commit before it resolves', async () => {
      const { store } = current();
      const chain = new RandomChain('async');
      const blocks = chain.blocks(0, 40);
      await store.commit(changeOf({ append: blocks.slice(0, 10) }));
      let done = false;
      const commit = store.commit(changeOf({ popTo: 5, append: chain.blocks(5, 35) })).then(() => {
        done = true;
      });
      const before = dumpStore(store);
      for (let turn = 0; !done; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        // With some limits a commit takes thousands of turns, and a dump is dear.
        if (turn % 16 !== 0) continue;
        // Time enough for another thread to finish the commit without this one taking notice.
        keepBusy(20);
        if (!done) expect(dumpStore(store)).toEqual(before);
      }
      await commit;
      expect(store.height).toBe(40);
      expect(dumpStore(store)).not.toEqual(before);
    });

    test('commits happen in the order of the calls, and a refused one holds up nobody', async () => {
      const { store } = current();
      const blocks = new RandomChain('order').blocks(0, 9);
      const results = await Promise.allSettled([
        store.commit(changeOf({ append: blocks.slice(0, 3) })),
        store.commit(changeOf({ append: blocks.slice(4, 5) })),
        store.commit(changeOf({ append: blocks.slice(3, 6) })),
        store.setProperty('p', Uint8Array.of(1)),
        store.commit(changeOf({ append: blocks.slice(6) })),
      ]);
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'fulfilled',
      ]);
      expect(store.blockMetas(0, 9)).toEqual(blocks.map(({ meta }) => meta));
      await store.sync();
    });
  });

  describe('closing', () => {
    test('waits for what is being committed, and may be done twice', async () => {
      const { store } = current();
      let committed = false;
      const commit = store
        .commit(changeOf({ append: new RandomChain('close').blocks(0, 5) }))
        .then(() => {
          committed = true;
        });
      await store.close();
      expect(committed).toBe(true);
      await commit;
      await store.close();
    });

    test('everything after it is refused', async () => {
      const { store } = current();
      const id = new Uint8Array(32);
      await store.close();
      const reads: (() => unknown)[] = [
        () => store.height,
        () => store.blockMeta(0),
        () => store.blockMetas(0, 1),
        () => store.blockBlob(0),
        () => store.heightOf(id),
        () => store.txLocation(id),
        () => store.txIds(undefined, 1),
        () => store.blockTxs(0),
        () => store.tx(0, 0),
        () => store.txBase(0, 0),
        () => store.outputIndices(0, 0),
        () => store.output(0n, 0),
        () => store.outputOrigin(0n, 0),
        () => store.outputCount(0n),
        () => [...store.amounts()],
        () => store.keyImageHeight(id),
        () => store.altBlock(id),
        () => store.altBlocks(),
        () => [...store.poolTxs()],
        () => store.poolBlob(id),
        () => store.property('a'),
      ];
      const closed = expect.objectContaining({ name: 'StorageError', code: 'closed' });
      for (const read of reads) expect(read).toThrow(closed);
      await expect(store.commit({})).rejects.toEqual(closed);
      await expect(store.setProperty('a', id)).rejects.toEqual(closed);
      await expect(store.sync()).rejects.toEqual(closed);
    });
  });
}

function byHeight(store: ChainStore) {
  return store.altBlocks().sort((a, b) => a.height - b.height);
}

function scribble(arrays: readonly (Uint8Array | undefined)[]): void {
  for (const bytes of arrays) bytes?.fill(0xee);
}

function scribbleOverResults(store: ChainStore): void {
  for (let height = 0; height < store.height; height += 1) {
    scribble([store.blockMeta(height)?.id, store.blockBlob(height)]);
    for (const tx of store.blockTxs(height))
      scribble([tx.id, tx.pruned, tx.prunable, tx.prunableHash]);
    scribble([store.txBase(height, 0)]);
  }
  for (const { amount, count } of store.amounts()) {
    for (let index = 0; index < count; index += 1) {
      const output = store.output(amount, index);
      scribble([output?.key, output?.commitment, store.outputOrigin(amount, index)?.txId]);
    }
  }
  scribble(store.txIds(undefined, Infinity));
  for (const alt of store.altBlocks()) scribble([alt.id, alt.prevId, alt.blob, ...alt.txs]);
}
