import { open } from 'lmdb';
import { openLmdbStore, type ChainStore } from '@monero-node/storage';
import { blockId, parseLooseBlock, transactionId, type LooseBlock } from '../chain/block.ts';
import type { RecordedBlock } from '../chain/chain-file.ts';
import { baseBytes, parseLoose, prefixBytes, type LooseTransaction } from '../chain/transaction.ts';

/** Opens a store that no process has open, works on it and closes it. */
export async function withStore<T>(
  path: string,
  work: (store: ChainStore) => Promise<T> | T,
): Promise<T> {
  const store = await openLmdbStore({ path });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A block that monerod exported, taken apart by code that is not ours. */
interface KnownBlock {
  readonly blob: Buffer;
  readonly id: Buffer;
  /** Ids, then the parts that pruning keeps, the miner's transaction first. */
  readonly txs: readonly { readonly id: Buffer; readonly kept: Buffer; readonly full: Buffer }[];
  /** Keys of the outputs in the list of amount 0. */
  readonly outputs: readonly Buffer[];
  readonly keyImages: readonly Buffer[];
}

function knownBlock({ block, txs }: RecordedBlock): KnownBlock {
  const parsed: LooseBlock = parseLooseBlock(block);
  const users = txs.map(parseLoose);
  const all: LooseTransaction[] = [parsed.minerTx, ...users];
  return {
    blob: block,
    id: blockId(parsed),
    txs: users.map((tx, i) => ({
      id: transactionId(tx),
      kept: Buffer.concat([
        prefixBytes(tx),
        tx.ringct === undefined ? Buffer.alloc(0) : baseBytes(tx.ringct),
      ]),
      full: txs[i] ?? Buffer.alloc(0),
    })),
    outputs: all.flatMap((tx) =>
      // Version 1 keeps its own lists; the outputs of miners' transactions of version 2 are in that of amount 0.
      tx.version === 1n ? [] : tx.outputs.map(({ key }) => key),
    ),
    keyImages: users.flatMap((tx) =>
      tx.inputs.flatMap((input) => (input.kind === 'key' ? [input.keyImage] : [])),
    ),
  };
}

/** The recorded chain, with which the contents of our store are compared. */
export class KnownChain {
  readonly blocks: readonly KnownBlock[];

  constructor(recorded: readonly RecordedBlock[]) {
    this.blocks = recorded.map(knownBlock);
  }

  /**
   * Compares every block, transaction, output and key image of a store with this chain.
   *
   * Throws Error that names the first difference. Returns the height of the store.
   */
  check(store: ChainStore): number {
    let output = 0;
    for (const [height, known] of this.blocks.slice(0, store.height).entries()) {
      const same = (what: string, stored: Uint8Array | undefined, wanted: Uint8Array): void => {
        if (stored === undefined || Buffer.compare(stored, wanted) !== 0)
          throw new Error(`${what} of block ${height} is ${stored ? 'wrong' : 'lost'}`);
      };
      same('the bytes', store.blockBlob(height), known.blob);
      if (store.heightOf(known.id) !== height) throw new Error(`the id of block ${height} is lost`);
      const stored = store.blockTxs(height).slice(1);
      for (const [i, { id, kept, full }] of known.txs.entries()) {
        const tx = stored[i];
        same(
          'a transaction',
          tx && Buffer.concat([tx.pruned, tx.prunable]),
          tx?.dropped ? kept : full,
        );
        if (store.txLocation(id)?.height !== height)
          throw new Error(`a transaction id of block ${height} is lost`);
      }
      for (const key of known.outputs) same('an output', store.output(0n, output++)?.key, key);
      for (const image of known.keyImages)
        if (store.keyImageHeight(image) !== height)
          throw new Error(`a key image of block ${height} is lost`);
    }
    if (store.height > this.blocks.length) throw new Error('the store has blocks of another chain');
    if (store.outputCount(0n) !== output) throw new Error('the store has outputs of other blocks');
    for (const { keyImages } of this.blocks.slice(store.height))
      if (keyImages.some((image) => store.keyImageHeight(image) !== undefined))
        throw new Error('the store has a key image of a block that it lacks');
    return store.height;
  }
}

/** Turns a store that no process has open into one of schema version 1 or 2, so that the next start migrates it. */
export async function makeOld(path: string, version: 1 | 2): Promise<void> {
  // Before version 3 every hash was in its table.
  const store = await openLmdbStore({ path, waitingHashes: 0 });
  await store.commit({});
  await store.close();
  const root = open({ path, maxDbs: 64, encoding: 'binary', keyEncoding: 'binary' });
  const slices = root.openDB({ name: 'hash_slice', encoding: 'binary', keyEncoding: 'uint32' });
  await slices.clearAsync();
  const schema = root.openDB({ name: 'schema', encoding: 'binary', keyEncoding: 'binary' });
  await schema.put(Buffer.from('version'), Buffer.from([version, 0, 0, 0]));
  await root.close();
}
