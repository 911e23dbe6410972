import type {
  AltBlock,
  AmountCount,
  BlockMeta,
  BlockRecord,
  OutputOrigin,
  OutputSlot,
  StoredOutput,
  StoredTx,
  TxLocation,
} from './records.ts';
import type { StoreChange, ChainStore } from './chain-store.ts';
import type { PageUse } from './page-use.ts';
import type { NewPoolTx, PoolChange, PoolTx } from './pool-store.ts';
import { Mutex, Yielder } from '@monero-node/base';
import { copyAltBlock, copyMeta, copyOutput, copyPoolMeta, copyTx } from './copy.ts';
import { HASH_SIZE } from './hash-bytes.ts';
import { checkChange, propertyKey, type ChainIndex, type HeightOfHash } from './change-check.ts';
import { isDroppable } from './lmdb/tables/prunable-pack.ts';
import { MemoryTreeRows } from './lmdb/tree/memory-rows.ts';
import { stageTree } from './lmdb/tree/staged-tree.ts';
import { ListedTree } from './lmdb/tree/stored-tree.ts';
import { keyImagesOf, outputsOf, txsOf, type NewOutput } from './record-objects.ts';
import { closedError } from './storage-error.ts';

/** A block with the global indices its outputs were given. */
interface MemoryBlock {
  readonly meta: BlockMeta;
  readonly blob: Uint8Array;
  readonly txs: readonly StoredTx[];
  readonly outputs: readonly (readonly NewOutput[])[];
  readonly keyImages: readonly Uint8Array[];
  readonly indices: readonly (readonly number[])[];
}

interface ListedOutput extends StoredOutput, OutputOrigin {}

/** A ChainStore that lives in memory: for tests and for nodes that need no yesterday. */
export function createMemoryStore(): ChainStore {
  return new MemoryStore();
}

class MemoryStore implements ChainStore {
  readonly sizeOnDisk = 0;
  readonly #blocks: MemoryBlock[] = [];
  readonly #blockHeights = new Map<string, number>();
  readonly #txs = new Map<string, TxLocation>();
  readonly #keyImages = new Map<string, number>();
  readonly #lists = new Map<bigint, ListedOutput[]>();
  readonly #altBlocks = new Map<string, AltBlock>();
  readonly #pool = new Map<string, NewPoolTx>();
  readonly #properties = new Map<string, Uint8Array>();
  readonly #treeRows = new MemoryTreeRows();
  readonly tree = new ListedTree(
    (table, key) => {
      this.#checkOpen();
      return this.#treeRows.get(table, key);
    },
    (table, limit, start) => {
      this.#checkOpen();
      return this.#treeRows.keysFrom(table, limit, start);
    },
  );
  readonly #mutex = new Mutex();
  #closing: Promise<void> | undefined;
  #closed = false;

  pageUse(): PageUse {
    return { pageBytes: 0, used: 0, free: 0, mapBytes: 0 };
  }

  prefetch(): Promise<void> {
    return Promise.resolve();
  }

  lookAhead(): Promise<void> {
    return Promise.resolve();
  }

  get height(): number {
    this.#checkOpen();
    return this.#blocks.length;
  }

  commit(change: StoreChange): Promise<void> {
    return this.#write(async () => {
      const yielder = new Yielder();
      const base = await checkChange(this.#index, change, yielder);
      const treeOps = await stageTree(this.#treeRows, change, yielder);
      while (this.#blocks.length > base) this.#pop();
      for (const height of change.prune ?? []) this.#prune(height);
      for (const block of change.append ?? []) this.#append(block);
      for (const id of change.removeAlt ?? []) this.#altBlocks.delete(keyOf(id));
      for (const alt of change.putAlt ?? []) this.#altBlocks.set(keyOf(alt.id), copyAltBlock(alt));
      for (const op of treeOps) this.#treeRows.put(op);
      this.#changePool(change);
    });
  }

  blockMeta(height: number): BlockMeta | undefined {
    this.#checkOpen();
    const block = this.#blocks[height];
    return block && copyMeta(block.meta);
  }

  blockBlob(height: number): Uint8Array | undefined {
    this.#checkOpen();
    return this.#blocks[height]?.blob.slice();
  }

  blockMetas(from: number, to: number): BlockMeta[] {
    this.#checkOpen();
    return this.#blocks
      .slice(Math.max(from, 0), Math.max(to, 0))
      .map((block) => copyMeta(block.meta));
  }

  heightOf(id: Uint8Array): number | undefined {
    this.#checkOpen();
    return this.#blockHeights.get(keyOf(id));
  }

  txLocation(id: Uint8Array): TxLocation | undefined {
    this.#checkOpen();
    const location = this.#txs.get(keyOf(id));
    return location && { ...location };
  }

  txIds(after: Uint8Array | undefined, limit: number): Uint8Array[] {
    this.#checkOpen();
    const least = after === undefined ? '' : keyOf(after);
    const above = [...this.#txs.keys()].filter((key) => key > least);
    return above.sort().slice(0, limit).map(bytesOf);
  }

  blockTxs(height: number): StoredTx[] {
    this.#checkOpen();
    return (this.#blocks[height]?.txs ?? []).map(copyTx);
  }

  tx(height: number, position: number): StoredTx | undefined {
    this.#checkOpen();
    const tx = this.#blocks[height]?.txs[position];
    return tx && copyTx(tx);
  }

  txBase(height: number, position: number): Uint8Array | undefined {
    this.#checkOpen();
    return this.#blocks[height]?.txs[position]?.pruned.slice();
  }

  outputIndices(height: number, position: number): number[] {
    this.#checkOpen();
    return [...(this.#blocks[height]?.indices[position] ?? [])];
  }

  output(amount: bigint, index: number): StoredOutput | undefined {
    this.#checkOpen();
    const listed = this.#lists.get(amount)?.[index];
    if (listed === undefined) return undefined;
    const { key, commitment, unlockTime, height } = copyOutput(listed);
    return { key, ...(commitment && { commitment }), unlockTime, height };
  }

  readOutput(slot: OutputSlot, amount: bigint, index: number): boolean {
    this.#checkOpen();
    const listed = this.#lists.get(amount)?.[index];
    if (listed === undefined) return false;
    slot.height = listed.height;
    slot.unlockTime = listed.unlockTime;
    slot.hasCommitment = listed.commitment !== undefined;
    slot.bytes.set(listed.key, slot.keyAt);
    if (listed.commitment !== undefined) slot.bytes.set(listed.commitment, slot.commitmentAt);
    if (slot.txIdAt !== undefined) slot.bytes.set(listed.txId, slot.txIdAt);
    return true;
  }

  outputOrigin(amount: bigint, index: number): OutputOrigin | undefined {
    this.#checkOpen();
    const listed = this.#lists.get(amount)?.[index];
    if (listed === undefined) return undefined;
    const { txId, txPosition, outputPosition } = listed;
    return { txId: txId.slice(), txPosition, outputPosition };
  }

  outputCount(amount: bigint, belowHeight = Infinity): number {
    this.#checkOpen();
    const list = this.#lists.get(amount) ?? [];
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((list[middle]?.height ?? Infinity) < belowHeight) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  amounts(): Iterable<AmountCount> {
    this.#checkOpen();
    return [...this.#lists]
      .map(([amount, list]) => ({ amount, count: list.length }))
      .sort((a, b) => (a.amount < b.amount ? -1 : 1));
  }

  keyImageHeight(keyImage: Uint8Array): number | undefined {
    this.#checkOpen();
    return this.#keyImages.get(keyOf(keyImage));
  }

  altBlock(id: Uint8Array): AltBlock | undefined {
    this.#checkOpen();
    const alt = this.#altBlocks.get(keyOf(id));
    return alt && copyAltBlock(alt);
  }

  get altBlockCount(): number {
    this.#checkOpen();
    return this.#altBlocks.size;
  }

  altBlocks(): AltBlock[] {
    this.#checkOpen();
    return [...this.#altBlocks.values()].map(copyAltBlock);
  }

  poolTxs(): Iterable<PoolTx> {
    this.#checkOpen();
    return [...this.#pool.values()].map(({ id, meta }) => ({
      id: id.slice(),
      meta: copyPoolMeta(meta),
    }));
  }

  poolBlob(id: Uint8Array): Uint8Array | undefined {
    this.#checkOpen();
    return this.#pool.get(keyOf(id))?.blob.slice();
  }

  property(name: string): Uint8Array | undefined {
    this.#checkOpen();
    return this.#properties.get(name)?.slice();
  }

  setProperty(name: string, value: Uint8Array | undefined): Promise<void> {
    return this.#write(async () => {
      propertyKey(name);
      if (value === undefined) this.#properties.delete(name);
      else this.#properties.set(name, value.slice());
    });
  }

  sync(): Promise<void> {
    return this.#write(async () => {});
  }

  close(): Promise<void> {
    this.#closing ??= this.#mutex.idle().then(() => {
      this.#closed = true;
    });
    return this.#closing;
  }

  async #write(work: () => Promise<void>): Promise<void> {
    if (this.#closing !== undefined) throw closedError();
    await this.#mutex.run(work);
  }

  #append(record: BlockRecord): void {
    const { height } = record.meta;
    const txs = txsOf(record);
    const outputs = outputsOf(record);
    const block: MemoryBlock = {
      meta: copyMeta(record.meta),
      blob: record.blob.slice(),
      txs,
      outputs,
      keyImages: keyImagesOf(record),
      indices: outputs.map((each, position) =>
        each.map((output, outputPosition) => {
          const { id: txId } = txs[position] as StoredTx;
          return this.#list(output, { height, txId, txPosition: position, outputPosition });
        }),
      ),
    };
    this.#blocks.push(block);
    this.#blockHeights.set(keyOf(block.meta.id), height);
    txs.forEach((tx, position) => this.#txs.set(keyOf(tx.id), { height, position }));
    for (const keyImage of block.keyImages) this.#keyImages.set(keyOf(keyImage), height);
  }

  /** Puts an output at the end of its amount's list; returns its index. */
  #list({ amount, ...output }: NewOutput, origin: OutputOrigin & { height: number }): number {
    const list = this.#lists.get(amount) ?? [];
    this.#lists.set(amount, list);
    return list.push({ ...output, ...origin }) - 1;
  }

  /** The committed state. */
  get #index(): ChainIndex {
    const heightOfHash: HeightOfHash = (kind, source, offset) => {
      const hash = source.subarray(offset, offset + HASH_SIZE);
      return kind === 'tx_id' ? this.txLocation(hash)?.height : this.keyImageHeight(hash);
    };
    return {
      height: this.height,
      heightOf: (id) => this.heightOf(id),
      heightsOf: () => heightOfHash,
    };
  }

  #changePool({ removePool = [], putPool = [], updatePool = [] }: PoolChange): void {
    for (const id of removePool) this.#pool.delete(keyOf(id));
    for (const { id, blob, meta } of putPool) {
      const copy = { id: id.slice(), blob: blob.slice(), meta: copyPoolMeta(meta) };
      this.#pool.set(keyOf(id), copy);
    }
    for (const { id, meta } of updatePool) {
      const tx = this.#pool.get(keyOf(id));
      if (tx !== undefined) tx.meta = copyPoolMeta(meta);
    }
  }

  #prune(height: number): void {
    for (const tx of this.#blocks[height]?.txs ?? []) {
      if (!isDroppable(tx)) continue;
      tx.prunable = new Uint8Array();
      tx.dropped = true;
    }
  }

  #pop(): void {
    const block = this.#blocks.pop();
    if (block === undefined) return;
    this.#blockHeights.delete(keyOf(block.meta.id));
    for (const tx of block.txs) this.#txs.delete(keyOf(tx.id));
    for (const keyImage of block.keyImages) this.#keyImages.delete(keyOf(keyImage));
    for (const { amount } of block.outputs.flat()) {
      const list = this.#lists.get(amount);
      list?.pop();
      if (list?.length === 0) this.#lists.delete(amount);
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}

function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function bytesOf(key: string): Uint8Array {
  return Uint8Array.from(Buffer.from(key, 'latin1'));
}
