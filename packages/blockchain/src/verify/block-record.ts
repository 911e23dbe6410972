import { keyImagesOf, outputKey, type ParsedTransaction } from '@monero-node/codec';
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
 * @param commitmentOf the 32-byte commitment of a version 2 output, by its amount and its position
 */
function newOutputs(
  parsed: ParsedTransaction,
  commitmentOf: (amount: bigint, position: number) => Uint8Array | undefined,
): NewOutput[] {
  const { version, unlockTime, outputs } = parsed.tx;
  return outputs.map((output, i) => {
    // Outputs without a key were rejected earlier.
    const key = outputKey(output.target) as Uint8Array;
    if (version === 1) return { amount: output.amount, key, unlockTime };
    const commitment = commitmentOf(output.amount, i) as Uint8Array;
    return { amount: RCT_LIST, key, commitment, unlockTime };
  });
}

/**
 * Returns how many outputs of a block the running count of RingCT outputs includes.
 * Source: add_block in src/blockchain_db/blockchain_db.cpp.
 */
export function countRctOutputs(bundle: CompleteBlock): number {
  const coinbase = bundle.block.minerTx.tx;
  let count = coinbase.version >= 2 ? coinbase.outputs.length : 0;
  for (const { tx } of bundle.txs) {
    count += tx.outputs.filter((output) => output.amount === 0n).length;
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
  return {
    meta,
    blob: block.blob,
    txs: [block.minerTx, ...txs].map(storedTx),
    outputs: [
      newOutputs(block.minerTx, commitToAmount),
      ...txs.map((parsed) => newOutputs(parsed, (_, i) => parsed.tx.rct?.outPk[i])),
    ],
    keyImages: txs.flatMap(({ tx }) => keyImagesOf(tx)),
  };
}
