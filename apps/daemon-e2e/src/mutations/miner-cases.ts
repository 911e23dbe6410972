import type { LooseBlock } from '../chain/block.ts';
import type { LooseTransaction } from '../chain/transaction.ts';
import { accepted, refused, type MutationCase } from './mutation-case.ts';
import type { Bundle, ChainBuilder } from './chain-builder.ts';
import { randomPoint } from './spend.ts';
import { NOT_A_POINT } from './points.ts';

/** Returns the next block with a changed miner transaction. */
const miner =
  (change: (tx: LooseTransaction, builder: ChainBuilder, block: LooseBlock) => void) =>
  (builder: ChainBuilder): Bundle =>
    builder.block({ edit: (block) => change(block.minerTx, builder, block) });

function amount(tx: LooseTransaction, change: (amount: bigint) => bigint): void {
  const output = tx.outputs[0];
  if (output !== undefined) output.amount = change(output.amount);
}

/** Cases about the miner transaction. */
export const MINER_CASES: readonly MutationCase[] = [
  accepted(
    'an extra field with unknown content',
    miner((tx) => (tx.extra = Buffer.from('ff00ff00', 'hex'))),
  ),
  accepted(
    'an empty extra field',
    miner((tx) => (tx.extra = Buffer.alloc(0))),
  ),
  accepted(
    'an output key that is not a point',
    miner((tx) => tx.outputs.forEach((output) => (output.key = NOT_A_POINT))),
  ),
  accepted(
    'two outputs whose sum is the reward',
    miner((tx) => {
      amount(tx, (value) => value - 5n);
      tx.outputs.push({ amount: 5n, key: randomPoint(), viewTag: 1 });
    }),
  ),
  accepted(
    'an additional output of amount 0',
    miner((tx) => tx.outputs.push({ amount: 0n, key: randomPoint(), viewTag: 1 })),
  ),
  refused(
    'one atomic unit too much',
    'miner-tx-amount',
    miner((tx) => amount(tx, (v) => v + 1n)),
  ),
  refused(
    'one atomic unit too little',
    'miner-tx-amount',
    miner((tx) => amount(tx, (v) => v - 1n)),
  ),
  refused(
    'no outputs',
    'miner-tx-amount',
    miner((tx) => (tx.outputs = [])),
  ),
  refused(
    'amounts whose sum overflows to the reward',
    'miner-tx-overflow',
    miner((tx) => {
      const reward = tx.outputs[0]?.amount ?? 0n;
      tx.outputs = [2n ** 64n - 1n, reward + 1n].map((value) => ({
        amount: value,
        key: randomPoint(),
        viewTag: 1,
      }));
    }),
  ),
  refused(
    'a height that is too high by one',
    'miner-tx-height',
    miner((tx, builder) => (tx.inputs = [{ kind: 'gen', height: BigInt(builder.height + 1) }])),
  ),
  refused(
    'a height that is too low by one',
    'miner-tx-height',
    miner((tx, builder) => (tx.inputs = [{ kind: 'gen', height: BigInt(builder.height - 1) }])),
  ),
  refused(
    'unlocked a block too early',
    'miner-tx-unlock',
    miner((tx) => (tx.unlockTime -= 1n)),
  ),
  refused(
    'unlocked a block too late',
    'miner-tx-unlock',
    miner((tx) => (tx.unlockTime += 1n)),
  ),
  refused(
    'not locked',
    'miner-tx-unlock',
    miner((tx) => (tx.unlockTime = 0n)),
  ),
  refused(
    'version 1',
    'miner-tx-version',
    miner((tx) => {
      tx.version = 1n;
      delete tx.ringct;
    }),
  ),
  refused('a RingCT part', 'miner-tx-rct', miner(withRingct)),
  refused(
    'two inputs',
    'bad-block-blob',
    miner((tx) => tx.inputs.push(...tx.inputs)),
  ),
  refused(
    'no input',
    ['miner-tx-inputs', 'bad-block-blob'],
    miner((tx) => {
      tx.inputs = [];
      delete tx.ringct;
    }),
    'monerod 0.18.0 throws while it holds its lock and then stops answering',
  ),
  refused(
    'an input that spends an output',
    'miner-tx-inputs',
    miner((tx, builder) => {
      tx.inputs = builder.draft().tx.inputs;
    }),
  ),
  refused(
    'an output without view tag',
    'miner-tx-output-type',
    miner((tx) => tx.outputs.forEach((output) => delete output.viewTag)),
  ),
];

/** Returns a complete RingCT part of the current type, whose signature for the gen input is for a ring of one. */
function withRingct(tx: LooseTransaction, builder: ChainBuilder): void {
  const rct = builder.signed().ringct;
  const proof = rct?.rangeProofs[0];
  const commitment = rct?.commitments[0];
  const signature = rct?.signatures[0];
  if (proof === undefined || commitment === undefined || signature === undefined) {
    throw new Error('a signed transaction without proofs');
  }
  tx.ringct = {
    type: 6,
    fee: 0n,
    encryptedAmounts: [Buffer.alloc(8)],
    commitments: [commitment],
    rangeProofs: [{ ...proof, L: proof.L.slice(0, 6), R: proof.R.slice(0, 6) }],
    signatures: [{ ...signature, s: signature.s.slice(0, 1) }],
    pseudoOuts: rct?.pseudoOuts.slice(0, 1) ?? [],
  };
}
