import { BoundedMap } from '@monero-node/base';
import { bytesEqual, FCMP_TYPE } from '@monero-node/codec';
import { rulesFor } from '@monero-node/consensus';
import type { BlockMeta, BlockRecord, ChainReader } from '@monero-node/storage';
import { StorageError } from '@monero-node/storage/memory';
import { decodeStoredBase } from './stored-transaction.ts';

/** Most outputs whose kind is remembered, about 150 bytes each: strangers choose them. A transaction has 4,000 ring members at most. */
const MOST_KNOWN = 65_536;
/** The position of the coinbase in its block. From version 17 on all of its outputs are Carrot outputs, which may be thousands. */
const COINBASE = 0;
/** Key of the list of RingCT outputs. Carrot outputs are in it, as the transactions that make them are of version 2. */
const RCT_LIST = 0n;
/** The type of a transaction does not depend on its hash. */
const NO_HASH = new Uint8Array(32);

interface KnownOutput {
  /** The block that made it, 32 bytes: after a reorganization another output may have its index. */
  readonly blockId: Uint8Array;
  readonly isCarrot: boolean;
}

/**
 * Tells which outputs of stored blocks are Carrot outputs. The store does not say it of the output, so that the transaction that made
 * it is read, once for all its outputs: at version 17 some have outputs of the old kind. One is enough for all views of a store.
 */
export class CarrotOutputs {
  readonly #store: ChainReader;
  readonly #known = new BoundedMap<number, KnownOutput>(MOST_KNOWN);

  constructor(store: ChainReader) {
    this.#store = store;
  }

  /**
   * Returns whether a stored output is a Carrot output. Below version 17 there are none; which version a block has, the block says and
   * not the network's table, which may be another one than when the block was stored.
   *
   * Throws StorageError `damaged` when the store lacks the block or the transaction.
   *
   * @param index in the list of RingCT outputs
   * @param height of its block
   */
  has(index: number, height: number): boolean {
    const block = this.#store.blockMeta(height) ?? damaged(height);
    if (!hasCarrotCoinbase(block)) return false;
    const known = this.#known.get(index);
    return known !== undefined && bytesEqual(known.blockId, block.id)
      ? known.isCarrot
      : this.#read(index, block);
  }

  /** Finds the kind of a stored output out, for `has`; does nothing when there is none. Throws StorageError. */
  learn(index: number): void {
    const output = this.#store.output(RCT_LIST, index);
    if (output !== undefined) this.has(index, output.height);
  }

  #read(index: number, { id: blockId, height }: BlockMeta): boolean {
    const { txPosition } = this.#store.outputOrigin(RCT_LIST, index, height) ?? damaged(height);
    if (txPosition === COINBASE) {
      this.#known.set(index, { blockId, isCarrot: true });
      return true;
    }
    const isCarrot = isCarrotBase(this.#store.txBase(height, txPosition), height);
    // Range proofs allow 16 outputs.
    for (const own of this.#store.outputIndices(height, txPosition))
      this.#known.set(own, { blockId, isCarrot });
    return isCarrot;
  }
}

/** The transaction of outputs in a block that is not stored yet. */
export class PendingOrigin {
  readonly #record: BlockRecord;
  readonly #position: number;
  #isCarrot: boolean | undefined;

  /** @param position in the block; 0 is the coinbase */
  constructor(record: BlockRecord, position: number) {
    this.#record = record;
    this.#position = position;
  }

  /** Whether its outputs are Carrot outputs: the transaction is read once. Throws StorageError `damaged` when it is malformed. */
  get isCarrot(): boolean {
    this.#isCarrot ??= this.#read();
    return this.#isCarrot;
  }

  #read(): boolean {
    const { meta, txs } = this.#record;
    if (!hasCarrotCoinbase(meta)) return false;
    if (this.#position === COINBASE) return true;
    const base = txs.blobs[this.#position]?.subarray(0, txs.baseSizes[this.#position]);
    return isCarrotBase(base, meta.height);
  }
}

function hasCarrotCoinbase({ majorVersion }: BlockMeta): boolean {
  return rulesFor(majorVersion).coinbaseTarget === 'carrot';
}

/**
 * Returns whether a transaction other than a coinbase has Carrot outputs: exactly those of RingCT type 7 do. Makes none of its inputs
 * and outputs.
 */
function isCarrotBase(pruned: Uint8Array | undefined, height: number): boolean {
  const parsed = pruned && decodeStoredBase({ pruned, prunableHash: NO_HASH });
  return parsed === undefined ? damaged(height) : parsed.parts.rctType === FCMP_TYPE;
}

function damaged(height: number): never {
  throw new StorageError('damaged', `block ${height} lacks the transaction of an output`);
}
