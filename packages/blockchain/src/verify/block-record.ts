import type { ParsedTransaction } from '@monero-node/codec';
import type { BlockMeta, BlockOutputs, BlockRecord, BlockTxs } from '@monero-node/storage';
import { HASH_SIZE } from '@monero-node/storage/memory';
import type { CompleteBlock } from '../types.ts';

/** Outputs or key images that are copied in one step at least, in some microseconds. A block with fewer is one step. */
const PARTS_PER_STEP = 64;

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
  yield;
  const outputs = yield* blockOutputs(txs, commitToAmount);
  const keyImages = yield* keyImagesIn(bundle.txs);
  return { meta, blob: block.blob, txs: packed, outputs, keyImages };
}

function blockTxs(txs: readonly ParsedTransaction[]): BlockTxs {
  const ids = new Uint8Array(HASH_SIZE * txs.length);
  const prunableHashes = new Uint8Array(HASH_SIZE * txs.length);
  const baseSizes = new Uint32Array(txs.length);
  const dropped = new Uint8Array(txs.length);
  const blobs = txs.map((tx, i) => {
    tx.copyHashes(ids, prunableHashes, HASH_SIZE * i);
    baseSizes[i] = tx.unprunedSize;
    if (tx.pruned) dropped[i] = 1;
    return tx.blob;
  });
  return { ids, blobs, baseSizes, prunableHashes, dropped };
}

/**
 * Returns the outputs of a block's transactions as they are numbered and stored: version 1 under their amount, version 2 in the
 * RingCT list. The first transaction is the coinbase.
 * Source: add_transaction in src/blockchain_db/blockchain_db.cpp.
 */
function* blockOutputs(
  txs: readonly ParsedTransaction[],
  commitToAmount: (amount: bigint) => Uint8Array,
): Generator<undefined, BlockOutputs> {
  const counts = Uint32Array.from(txs, ({ parts }) => parts.outputCount);
  const count = counts.reduce((sum, each) => sum + each, 0);
  const clear = txs.reduce((sum, { parts: p }) => (p.version === 1 ? sum + p.outputCount : sum), 0);
  const amounts = new BigUint64Array(count);
  const unlockTimes = new BigUint64Array(count);
  const keys = new Uint8Array(HASH_SIZE * count);
  const commitments = new Uint8Array(HASH_SIZE * (count - clear));
  let [output, commitment, paused] = [0, 0, 0];
  for (const [position, { parts }] of txs.entries()) {
    const { version, unlockTime, outputCount } = parts;
    for (let i = 0; i < outputCount; i++, output++) {
      unlockTimes[output] = unlockTime;
      // Outputs without a key were rejected earlier.
      parts.copy('outputKey', i, keys, HASH_SIZE * output);
      // The RingCT list has the amount 0.
      if (version === 1) amounts[output] = parts.outputAmount(i);
      else {
        const at = HASH_SIZE * commitment++;
        if (position > 0) parts.copy('commitment', i, commitments, at);
        else {
          commitments.set(commitToAmount(parts.outputAmount(i)), at);
          // Each takes far longer than to copy one, and a coinbase may have thousands.
          yield;
        }
      }
    }
    if (output - paused < PARTS_PER_STEP) continue;
    paused = output;
    yield;
  }
  return { counts, amounts, unlockTimes, keys, commitments };
}

function* keyImagesIn(txs: readonly ParsedTransaction[]): Generator<undefined, Uint8Array> {
  const count = txs.reduce((sum, { parts }) => sum + parts.keyImageCount, 0);
  const keyImages = new Uint8Array(HASH_SIZE * count);
  let [next, paused] = [0, 0];
  for (const { parts } of txs) {
    for (let i = 0; i < parts.keyImageCount; i++)
      parts.copy('keyImage', i, keyImages, HASH_SIZE * next++);
    if (next - paused < PARTS_PER_STEP) continue;
    paused = next;
    yield;
  }
  return keyImages;
}
