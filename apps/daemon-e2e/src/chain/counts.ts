import { recordedBlocks } from './fixture.ts';
import { parseLoose } from './transaction.ts';

/**
 * Returns the number of checks of each kind that a node must make to accept the recorded chain above
 * genesis, counted from its bytes. The names are those that the daemon logs.
 */
export function neededChecks(): Record<string, number> {
  const blocks = recordedBlocks().filter(({ height }) => height > 0);
  const txs = blocks.flatMap((block) => block.txs.map(parseLoose));
  const sum = (of: (tx: (typeof txs)[number]) => number): number =>
    txs.reduce((total, tx) => total + of(tx), 0);
  return {
    blocks: blocks.length,
    minerTxs: blocks.length,
    pow: blocks.length,
    transactions: txs.length,
    // No check may be skipped because of a block's origin or because its content was seen before.
    known: 0,
    cached: 0,
    outputKeys: sum((tx) => tx.outputs.length),
    keyImages: sum((tx) => tx.inputs.length),
    balances: txs.length,
    // The recorded chain has RingCT of one type only.
    borromeans: 0,
    bulletproofs: 0,
    rangeProofs: sum((tx) => tx.ringct?.rangeProofs.length ?? 0),
    ringSignatures: 0,
    mlsags: 0,
    membershipProofs: 0,
    clsags: sum((tx) => tx.ringct?.signatures.length ?? 0),
  };
}
