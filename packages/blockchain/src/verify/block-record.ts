import type { ParsedTransaction, TransactionParts } from '@monero-node/codec';
import type { BlockMeta, BlockRecord, NewOutput, StoredTx } from '@monero-node/storage';
import type { CompleteBlock } from '../types.ts';

/** Key of a list of outputs: 0 for RingCT outputs and every version 2 coinbase output. */
const RCT_LIST = 0n;

function storedTx(parsed: ParsedTransaction): StoredTx {
  return {
    id: parsed.id,
    pruned: parsed.blob.subarray(0, parsed.unprunedSize),
    prunable: parsed.blob.subarray(parsed.unprunedSize),
    prunableHash: parsed.prunableHash,
    ...(parsed.pruned ? { dropped: true } : {}),
  };
}

/**
 * Returns the outputs of a transaction as they are numbered and stored: version 1 under their amount, version 2
 * in the RingCT list. Source: add_transaction in src/blockchain_db/blockchain_db.cpp.
 *
 * @param commitmentOf the 32-byte commitment of a version 2 output, by its position
 */
function newOutputs(
  parts: TransactionParts,
  commitmentOf: (position: number) => Uint8Array | undefined,
): NewOutput[] {
  const { version, unlockTime, outputCount } = parts;
  const outputs: NewOutput[] = [];
  for (let i = 0; i < outputCount; i++) {
    // Outputs without a key were rejected earlier.
    const key = parts.outputKey(i) as Uint8Array;
    if (version === 1) outputs.push({ amount: parts.outputAmount(i), key, unlockTime });
    else {
      const commitment = commitmentOf(i) as Uint8Array;
      outputs.push({ amount: RCT_LIST, key, commitment, unlockTime });
    }
  }
  return outputs;
}

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
 * Returns the record of a verified block for storage. A version 2 coinbase output gets the commitment
 * `G + amount·H`, which `commitToAmount` computes: 32 bytes from atomic units.
 */
export function blockRecord(
  bundle: CompleteBlock,
  meta: BlockMeta,
  commitToAmount: (amount: bigint) => Uint8Array,
): BlockRecord {
  const { block, txs } = bundle;
  const { parts: minerParts } = block.minerTx;
  return {
    meta,
    blob: block.blob,
    txs: [block.minerTx, ...txs].map(storedTx),
    outputs: [
      newOutputs(minerParts, (i) => commitToAmount(minerParts.outputAmount(i))),
      ...txs.map(({ parts }) => newOutputs(parts, (i) => parts.commitment(i))),
    ],
    keyImages: keyImagesIn(txs),
  };
}

function keyImagesIn(txs: readonly ParsedTransaction[]): Uint8Array[] {
  const keyImages: Uint8Array[] = [];
  for (const { parts } of txs) {
    for (let i = 0; i < parts.keyImageCount; i++) keyImages.push(parts.keyImage(i));
  }
  return keyImages;
}
