import type { OutputSlot } from '../records.ts';
import type { StoreHarness } from './store-harness.ts';
import { RandomChain } from './random-chain.ts';
import { changeOf } from './loose-block.ts';
import type { LooseBlock, NewOutput } from '../record-objects.ts';

const filled = (byte: number, length = 32) => new Uint8Array(length).fill(byte);

export function describeAppend(current: () => StoreHarness): void {
  describe('appending', () => {
    test('an empty store has nothing', () => {
      const { store } = current();
      expect(store.height).toBe(0);
      expect(store.blockMeta(0)).toBeUndefined();
      expect(store.blockBlob(0)).toBeUndefined();
      expect(store.blockMetas(0, 10)).toEqual([]);
      expect(store.heightOf(filled(1))).toBeUndefined();
      expect(store.txLocation(filled(1))).toBeUndefined();
      expect(store.txIds(undefined, 9)).toEqual([]);
      expect(store.blockTxs(0)).toEqual([]);
      expect(store.tx(0, 0)).toBeUndefined();
      expect(store.txBase(0, 0)).toBeUndefined();
      expect(store.outputIndices(0, 0)).toEqual([]);
      expect(store.output(0n, 0)).toBeUndefined();
      expect(store.outputOrigin(0n, 0)).toBeUndefined();
      const slot = { bytes: new Uint8Array(96), keyAt: 0, commitmentAt: 32, txIdAt: 64 };
      const nothing = { hasCommitment: false, unlockTime: 0n, height: 0 };
      expect(store.readOutput({ ...slot, ...nothing }, 0n, 0)).toBe(false);
      expect(store.outputCount(0n)).toBe(0);
      expect(store.outputCount(0n, 5)).toBe(0);
      expect([...store.amounts()]).toEqual([]);
      expect(store.keyImageHeight(filled(1))).toBeUndefined();
      expect(store.altBlocks()).toEqual([]);
      expect(store.altBlockCount).toBe(0);
      expect(store.property('x')).toBeUndefined();
    });

    test('what was appended is read back, block by block', async () => {
      const { store } = current();
      const blocks = new RandomChain('append').blocks(0, 12);
      await store.commit(changeOf({ append: blocks.slice(0, 1) }));
      await store.commit(changeOf({ append: blocks.slice(1) }));
      expect(store.height).toBe(12);
      expect(store.blockMetas(0, 99)).toEqual(blocks.map(({ meta }) => meta));
      expect(store.blockMetas(-3, 2)).toEqual(blocks.slice(0, 2).map(({ meta }) => meta));
      expect(store.blockMetas(5, 3)).toEqual([]);
      for (const block of blocks) expectBlock(current(), block);
      expect(store.blockMeta(12)).toBeUndefined();
      expect(store.tx(3, blocks[3]?.txs.length ?? 0)).toBeUndefined();
      expect(store.txBase(3, blocks[3]?.txs.length ?? 0)).toBeUndefined();
    });

    test('transaction ids are listed in pages, ascending', async () => {
      const { store } = current();
      const blocks = new RandomChain('ids').blocks(0, 30);
      await store.commit(changeOf({ append: blocks }));
      const ids = blocks.flatMap(({ txs }) => txs.map(({ id }) => id));
      const ascending = ids.sort((a, b) => Buffer.compare(a, b));
      expect(store.txIds(undefined, Infinity)).toEqual(ascending);
      for (const size of [1, 7, 1000]) {
        const listed: Uint8Array[] = [];
        let page = store.txIds(undefined, size);
        while (page.length > 0) {
          listed.push(...page);
          page = store.txIds(page.at(-1), size);
        }
        expect(listed).toEqual(ascending);
      }
      expect(store.txIds(filled(0), 1)).toEqual(ascending.slice(0, 1));
      expect(store.txIds(filled(0xff), 1)).toEqual([]);
      await store.commit({ popTo: 0 });
      expect(store.txIds(undefined, 1)).toEqual([]);
    });

    test('outputs are numbered per amount, in the order of blocks, transactions and outputs', async () => {
      const { store } = current();
      await store.commit(changeOf({ append: threeBlocks() }));
      expect(store.outputIndices(0, 0)).toEqual([0]);
      expect(store.outputIndices(1, 0)).toEqual([0, 1]);
      expect(store.outputIndices(1, 1)).toEqual([0, 1, 0, 2, 3]);
      expect(store.outputIndices(2, 0)).toEqual([2]);
      expect(store.outputIndices(2, 1)).toEqual([4, 3, 5]);
      expect(store.outputIndices(2, 2)).toEqual([]);
      expect([...store.amounts()]).toEqual([
        { amount: 0n, count: 4 },
        { amount: 5n, count: 6 },
        { amount: 9n, count: 1 },
        { amount: 700n, count: 1 },
      ]);
      expect(store.outputOrigin(5n, 2)).toEqual({
        txId: filled(0x11),
        txPosition: 1,
        outputPosition: 3,
      });
      expect(store.outputOrigin(5n, 5)).toEqual({
        txId: filled(0x21),
        txPosition: 1,
        outputPosition: 2,
      });
      expect(store.outputOrigin(0n, 3)).toEqual({
        txId: filled(0x21),
        txPosition: 1,
        outputPosition: 1,
      });
      const { height } = store.output(0n, 3) ?? {};
      expect(store.outputOrigin(0n, 3, height)).toEqual(store.outputOrigin(0n, 3));
      expect(store.outputOrigin(9n, 0)).toEqual({
        txId: filled(0x11),
        txPosition: 1,
        outputPosition: 2,
      });
      expect(store.output(5n, 4)).toEqual({ key: filled(0x21), unlockTime: 77n, height: 2 });
      expect(store.output(0n, 2)).toEqual({
        key: filled(0x20),
        commitment: filled(0xc0),
        unlockTime: 62n,
        height: 2,
      });
      expect(store.output(5n, 6)).toBeUndefined();
      expect(store.output(6n, 0)).toBeUndefined();
    });

    test('the length of a list is known for every earlier height', async () => {
      const { store } = current();
      await store.commit(changeOf({ append: threeBlocks() }));
      const counts = (amount: bigint) =>
        [0, 1, 2, 3, 4, 1e6].map((h) => store.outputCount(amount, h));
      expect(counts(0n)).toEqual([0, 0, 2, 4, 4, 4]);
      expect(counts(5n)).toEqual([0, 0, 4, 6, 6, 6]);
      expect(counts(9n)).toEqual([0, 0, 1, 1, 1, 1]);
      expect(counts(700n)).toEqual([0, 1, 1, 1, 1, 1]);
      expect(counts(123n)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(store.outputCount(5n)).toBe(6);
    });

    test('the length of a list is right on a longer chain', async () => {
      const { store } = current();
      const blocks = new RandomChain('counts').blocks(0, 60);
      await store.commit(changeOf({ append: blocks }));
      const all = blocks.flatMap(({ meta, outputs }) =>
        outputs.flat().map(({ amount }) => ({ amount, height: meta.height })),
      );
      for (const { amount } of store.amounts()) {
        for (let below = 0; below <= 61; below += 1) {
          const expected = all.filter((o) => o.amount === amount && o.height < below).length;
          expect(store.outputCount(amount, below)).toBe(expected);
        }
      }
    });

    test('blobs may be empty or very long', async () => {
      const { store } = current();
      const chain = new RandomChain('sizes');
      const block = chain.block(0);
      const [coinbase] = block.txs;
      if (coinbase === undefined) throw new Error('a block has a coinbase');
      block.blob = new Uint8Array();
      block.txs = [
        { ...coinbase, pruned: new Uint8Array(), prunable: chain.random.bytes(18_000_000) },
        ...block.txs.slice(1),
      ];
      await store.commit(changeOf({ append: [block] }));
      expectBlock(current(), block);
    });

    test('amounts are listed in ascending order, however many there are', async () => {
      const { store } = current();
      const block = new RandomChain('dust').block(0);
      const amounts = Array.from(
        { length: 2500 },
        (_, i) => BigInt((i * 7919) % 2500) * 1_000_003n + 1n,
      );
      const dust = amounts.map((amount): NewOutput => ({ amount, key: filled(3), unlockTime: 0n }));
      await store.commit(
        changeOf({
          append: [{ ...block, outputs: block.txs.map((_, i) => (i === 0 ? dust : [])) }],
        }),
      );
      const ascending = [...amounts].sort((a, b) => (a < b ? -1 : 1));
      expect([...store.amounts()]).toEqual(ascending.map((amount) => ({ amount, count: 1 })));
      expect(store.outputOrigin(amounts[1234] ?? 0n, 0)?.outputPosition).toBe(1234);
    });
  });
}

/** Compares what the store says about one block with the record it was made from. */
function expectBlock({ store }: StoreHarness, block: LooseBlock): void {
  const { height, id } = block.meta;
  expect(store.blockMeta(height)).toEqual(block.meta);
  expect(Buffer.compare(store.blockBlob(height) ?? filled(0, 1), block.blob)).toBe(0);
  expect(store.heightOf(id)).toBe(height);
  const txs = store.blockTxs(height);
  expect(txs.length).toBe(block.txs.length);
  block.txs.forEach((tx, position) => {
    expect(store.txLocation(tx.id)).toEqual({ height, position });
    for (const read of [txs[position], store.tx(height, position)]) {
      expect(read?.id).toEqual(tx.id);
      expect(read?.prunableHash).toEqual(tx.prunableHash);
      expect(Buffer.compare(read?.pruned ?? filled(0, 1), tx.pruned)).toBe(0);
      expect(Buffer.compare(read?.prunable ?? filled(0, 1), tx.prunable)).toBe(0);
    }
    expect(Buffer.compare(store.txBase(height, position) ?? filled(0, 1), tx.pruned)).toBe(0);
    expectOutputs(store, block, position);
  });
  for (const keyImage of block.keyImages) expect(store.keyImageHeight(keyImage)).toBe(height);
}

function expectOutputs(store: StoreHarness['store'], block: LooseBlock, position: number): void {
  const indices = store.outputIndices(block.meta.height, position);
  const outputs = block.outputs[position] ?? [];
  expect(indices.length).toBe(outputs.length);
  outputs.forEach(({ amount, ...output }, outputPosition) => {
    const index = indices[outputPosition] ?? -1;
    expect(store.output(amount, index)).toEqual({ ...output, height: block.meta.height });
    const origin = { txId: block.txs[position]?.id, txPosition: position, outputPosition };
    expect(store.outputOrigin(amount, index)).toEqual(origin);
    expectRead(store, amount, index);
  });
}

/** Compares what is read into a slot with what is returned as objects. */
function expectRead(store: StoreHarness['store'], amount: bigint, index: number): void {
  const nothing = { hasCommitment: false, unlockTime: -1n, height: -1 };
  const wanted = { bytes: new Uint8Array(100).fill(0xee), keyAt: 1, commitmentAt: 33, txIdAt: 65 };
  const slot: OutputSlot = { ...wanted, ...nothing };
  const withoutId: OutputSlot = { ...slot, bytes: slot.bytes.slice(), txIdAt: undefined };
  expect(store.readOutput(slot, amount, index)).toBe(true);
  expect(store.readOutput(withoutId, amount, index)).toBe(true);
  const output = store.output(amount, index);
  const commitment = output?.commitment ?? filled(0xee);
  const { txId = filled(0) } = store.outputOrigin(amount, index) ?? {};
  for (const { bytes, height, unlockTime, hasCommitment, txIdAt } of [slot, withoutId]) {
    expect({ height, unlockTime }).toEqual({
      height: output?.height,
      unlockTime: output?.unlockTime,
    });
    expect(hasCommitment).toBe(output?.commitment !== undefined);
    expect(bytes.slice(1, 33)).toEqual(output?.key);
    expect(bytes.slice(33, 65)).toEqual(commitment);
    expect(bytes.slice(65, 97)).toEqual(txIdAt === undefined ? filled(0xee) : txId);
    expect([bytes[0], ...bytes.slice(97)]).toEqual([0xee, 0xee, 0xee, 0xee]);
  }
}

/** Blocks whose numbering can be worked out by hand: amounts 0, 5, 9 and 700. */
function threeBlocks(): LooseBlock[] {
  const chain = new RandomChain('three');
  const clear = (amount: bigint, byte: number): NewOutput => ({
    amount,
    key: filled(byte),
    unlockTime: 77n,
  });
  const rct = (byte: number): NewOutput => ({
    amount: 0n,
    key: filled(byte),
    commitment: filled(0xc0),
    unlockTime: 62n,
  });
  const outputs = [
    [[clear(700n, 0)]],
    [[rct(0x10), rct(0x10)], [5n, 5n, 9n, 5n, 5n].map((amount) => clear(amount, 0x11))],
    [[rct(0x20)], [clear(5n, 0x21), rct(0x21), clear(5n, 0x21)], []],
  ];
  return outputs.map((perTx, height) => {
    const block = chain.block(height);
    const txs = perTx.map((_, position) => ({
      id: filled(height * 16 + position),
      pruned: chain.random.bytes(100),
      prunable: chain.random.bytes(10),
      prunableHash: chain.random.bytes(32),
    }));
    return { ...block, txs, outputs: perTx };
  });
}
