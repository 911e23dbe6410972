import type { ParsedTransaction, TransactionParts } from '@monero-node/codec';
import type { BlockMeta, BlockOutputs, BlockRecord, BlockTxs } from '@monero-node/storage';
import { HASH_SIZE } from '@monero-node/storage/memory';
import type { CompleteBlock } from '../types.ts';

/** Outputs and key images that are copied in one step at least, in some microseconds. A block with fewer is one step. */
const PARTS_PER_STEP = 64;
/** Commitments that are computed in one step at most. */
const COMMITMENTS_PER_STEP = 4;

/**
 * Returns how many outputs of a block the running count of RingCT outputs includes.
 * Source: add_block in src/blockchain_db/blockchain_db.cpp.
 */
export function countRctOutputs(bundle: CompleteBlock): number {
  const coinbase = bundle.block.minerTx.tx;
  let count = coinbase.version >= 2 ? coinbase.outputs.length : 0;
  for (const { parts } of bundle.txs) {
    for (let i = 0; i < parts.outputCount; i++) if (parts.outputAmount(i) === 0n) count++;
  }
  return count;
}

/**
 * Returns the record of a verified block for storage, in steps: a block may have tens of thousands of outputs. A version 2 coinbase
 * output gets the commitment `G + amount·H`, which `commitToAmount` computes: 32 bytes from atomic units.
 */
export function* blockRecordSteps(
  bundle: CompleteBlock,
  meta: BlockMeta,
  commitToAmount: (amount: bigint) => Uint8Array,
): Generator<undefined, BlockRecord> {
  const { block } = bundle;
  const txs = [block.minerTx, ...bundle.txs];
  const packed = blockTxs(txs);
  const parts = new PartsCopier(txs, commitToAmount);
  // A pause is not free, and most blocks of a chain have few parts.
  while (!parts.copy()) yield;
  const { outputs, keyImages } = parts;
  return { meta, blob: block.blob, txs: packed, outputs, keyImages };
}

function blockTxs(txs: readonly ParsedTransaction[]): BlockTxs {
  const count = txs.length;
  const ids = new Uint8Array(HASH_SIZE * count);
  const prunableHashes = new Uint8Array(HASH_SIZE * count);
  const baseSizes = new Uint32Array(count);
  const dropped = new Uint8Array(count);
  const blobs: Uint8Array[] = [];
  for (const tx of txs) {
    const i = blobs.length;
    tx.copyHashes(ids, prunableHashes, HASH_SIZE * i);
    baseSizes[i] = tx.unprunedSize;
    if (tx.pruned) dropped[i] = 1;
    blobs.push(tx.blob);
  }
  return { ids, blobs, baseSizes, prunableHashes, dropped };
}

/** What most blocks have none of. */
const NONE = new Uint8Array();

/**
 * Copies the outputs and key images of a block's transactions into flat arrays. Outputs are as they are numbered and stored: version 1
 * under their amount, version 2 in the RingCT list. The first transaction is the coinbase.
 * Source: add_transaction in src/blockchain_db/blockchain_db.cpp.
 */
class PartsCopier {
  readonly outputs: BlockOutputs;
  readonly keyImages: Uint8Array;
  readonly #txs: readonly ParsedTransaction[];
  readonly #commitToAmount: (amount: bigint) => Uint8Array;
  /** What comes next: a transaction, one of its outputs, and where that and its commitment go. */
  #tx = 0;
  #own = 0;
  #output = 0;
  #commitment = 0;
  #keyImage = 0;

  constructor(txs: readonly ParsedTransaction[], commitToAmount: (amount: bigint) => Uint8Array) {
    this.#txs = txs;
    this.#commitToAmount = commitToAmount;
    const counts = new Uint32Array(txs.length);
    let [tx, count, clear, keyImages] = [0, 0, 0, 0];
    for (const { parts } of txs) {
      const { outputCount } = parts;
      counts[tx++] = outputCount;
      count += outputCount;
      if (parts.version === 1) clear += outputCount;
      keyImages += parts.keyImageCount;
    }
    this.outputs = {
      counts,
      amounts: new BigUint64Array(count),
      unlockTimes: new BigUint64Array(count),
      keys: new Uint8Array(HASH_SIZE * count),
      commitments: clear === count ? NONE : new Uint8Array(HASH_SIZE * (count - clear)),
    };
    this.keyImages = keyImages === 0 ? NONE : new Uint8Array(HASH_SIZE * keyImages);
  }

  /** Copies transactions, some of them or a part of the coinbase. Returns whether that was all. */
  copy(): boolean {
    let copied = 0;
    while (this.#tx < this.#txs.length) {
      if (copied >= PARTS_PER_STEP) return false;
      const { parts } = this.#txs[this.#tx] as ParsedTransaction;
      const isCoinbase = this.#tx === 0;
      // To compute a commitment takes far longer than to copy one, and a coinbase may have thousands.
      const end =
        isCoinbase && parts.version > 1
          ? Math.min(parts.outputCount, this.#own + COMMITMENTS_PER_STEP)
          : parts.outputCount;
      copied += end - this.#own + parts.keyImageCount;
      for (; this.#own < end; this.#own++) this.#copyOutput(parts, isCoinbase);
      if (end < parts.outputCount) return false;
      for (let i = 0; i < parts.keyImageCount; i++)
        parts.copy('keyImage', i, this.keyImages, HASH_SIZE * this.#keyImage++);
      this.#tx++;
      this.#own = 0;
    }
    return true;
  }

  #copyOutput(parts: TransactionParts, isCoinbase: boolean): void {
    const { amounts, unlockTimes, keys, commitments } = this.outputs;
    const own = this.#own;
    const output = this.#output++;
    unlockTimes[output] = parts.unlockTime;
    // Outputs without a key were rejected earlier.
    parts.copy('outputKey', own, keys, HASH_SIZE * output);
    // The RingCT list has the amount 0.
    if (parts.version === 1) {
      amounts[output] = parts.outputAmount(own);
      return;
    }
    const at = HASH_SIZE * this.#commitment++;
    if (isCoinbase) commitments.set(this.#commitToAmount(parts.outputAmount(own)), at);
    else parts.copy('commitment', own, commitments, at);
  }
}
