import { keyImagesOf, outputKey, type ParsedTransaction } from '@monero-node/codec';
import type { BlockMeta, BlockRecord, NewOutput, StoredTx } from '@monero-node/storage';
import type { ParsedBundle } from '../types.ts';

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
 * The outputs of a transaction as they are numbered and stored (upstream blockchain_db.cpp,
 * add_transaction): version 1 under their amount, version 2 in the RingCT list; a version 2
 * coinbase output gets the commitment `G + amount·H`.
 */
function newOutputs(
  parsed: ParsedTransaction,
  isCoinbase: boolean,
  commitToAmount: (amount: bigint) => Uint8Array,
): NewOutput[] {
  const { version, unlockTime, outputs, rct } = parsed.tx;
  return outputs.map((output, i) => {
    // Checked earlier: only key targets get this far.
    const key = outputKey(output.target) as Uint8Array;
    if (version === 1) return { amount: output.amount, key, unlockTime };
    const commitment = isCoinbase ? commitToAmount(output.amount) : rct?.outPk[i];
    return { amount: RCT_LIST, key, commitment: commitment as Uint8Array, unlockTime };
  });
}

/** Outputs that the per-block running count of RingCT outputs counts (upstream add_block). */
export function countRctOutputs(bundle: ParsedBundle): number {
  const coinbase = bundle.block.minerTx.tx;
  let count = coinbase.version >= 2 ? coinbase.outputs.length : 0;
  for (const { tx } of bundle.txs) {
    count += tx.outputs.filter((output) => output.amount === 0n).length;
  }
  return count;
}

/** What storage keeps of a verified block. */
export function blockRecord(
  bundle: ParsedBundle,
  meta: BlockMeta,
  commitToAmount: (amount: bigint) => Uint8Array,
): BlockRecord {
  const { block, txs } = bundle;
  return {
    meta,
    blob: block.blob,
    txs: [block.minerTx, ...txs].map(storedTx),
    outputs: [
      newOutputs(block.minerTx, true, commitToAmount),
      ...txs.map((tx) => newOutputs(tx, false, commitToAmount)),
    ],
    keyImages: txs.flatMap(({ tx }) => keyImagesOf(tx)),
  };
}
