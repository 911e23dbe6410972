import type { FcmpProof, Transaction, TxTarget } from '@monero-node/codec';
import { fcmpPlusPlusProofBytes } from '@monero-node/codec/fcmp-proof-size';
import { computeWeightState, longTermWeight } from '../../block/block-weight.ts';
import { checkCurveTree } from '../../block/header.ts';
import { checkMinerTxShape } from '../../block/miner-tx.ts';
import { checkInputs } from '../../inputs/inputs.ts';
import { dynamicBaseFee } from '../../relay/fees.ts';
import { checkTransaction } from '../../transaction/transaction.ts';
import {
  bytes32,
  chain,
  keyInput,
  minerTx,
  output,
  parsed,
  ringCt,
  ringMember,
  ringSigned,
  tagged,
} from '../transactions.ts';
import { probe, value, type ForkPlace, type ForkRuleCase } from './types.ts';

/** A Carrot output whose key is 32 equal bytes. */
const carrot = (key = 3): TxTarget => ({
  kind: 'carrot',
  key: bytes32(key),
  viewTag: new Uint8Array(3),
  encryptedJanusAnchor: new Uint8Array(16),
});
const carrots = (...keys: number[]) => keys.map((key) => output(carrot(key)));

/** Of the tree of every reference block. */
const LAYERS = 3;
const REFERRED = { layers: LAYERS, root: bytes32(9) };

/** A transaction of RingCT type 7 with two inputs, whose proofs have the right sizes but prove nothing. */
function fcmp(change: Partial<Transaction> = {}, proof: Partial<FcmpProof> = {}): Transaction {
  const outputs = change.outputs ?? carrots(3, 4);
  const inputs = change.inputs ?? [keyInput(8, 0), keyInput(7, 0)];
  const like = ringCt({ inputs, outputs });
  const { rct, prunable } = like;
  if (rct === undefined || prunable === undefined) throw new Error('a transaction without proofs');
  const treeLayers = LAYERS;
  const bytes = new Uint8Array(fcmpPlusPlusProofBytes(inputs.length, treeLayers));
  return {
    ...like,
    rct: { ...rct, type: 7 },
    prunable: {
      ...prunable,
      clsags: [],
      fcmp: { referenceBlock: 5n, treeLayers, proof: bytes, ...proof },
    },
    ...change,
  };
}

const own = (tx: Transaction) => (place: ForkPlace) => checkTransaction(place.rules, parsed(tx));
const inputsOf =
  (tx: Transaction, options: Parameters<typeof chain>[0] = {}) =>
  (place: ForkPlace) =>
    checkInputs(place.rules, parsed(tx), chain({ version: place.version, ...options }));
const coinbase =
  (change: Partial<Transaction> = {}, target: TxTarget = carrot()) =>
  (place: ForkPlace) =>
    checkMinerTxShape(
      place.rules,
      place.height,
      parsed({ ...minerTx(place.height, [1n], { target }), ...change }),
    );
const type6 = (change: Partial<Transaction> = {}) => ({ ...ringCt(), ...change });

const TREE = { layers: 2, root: bytes32(1) };
const SOURCE = {
  ownRules: 'ver_non_input_consensus_templated in src/cryptonote_core/tx_verification_utils.cpp',
  miner: 'prevalidate_miner_transaction in src/cryptonote_core/blockchain.cpp',
  inputs: 'check_tx_inputs in src/cryptonote_core/blockchain.cpp',
  block: 'handle_block_to_main_chain in src/cryptonote_core/blockchain.cpp',
  weight: 'update_next_cumulative_weight_limit in src/cryptonote_core/blockchain.cpp',
  fee: 'get_dynamic_base_fee in src/cryptonote_core/blockchain.cpp',
} as const;

/** What forks 17 and 18 change, each probed under 16, 17 and 18. */
export const NEXT_FORK_CASES: readonly ForkRuleCase[] = [
  {
    topic: 'Blocks',
    rule: 'A block commits to layers and root of the curve tree',
    source: SOURCE.block,
    probes: [
      probe('none', { 16: 'passes', 17: 'tree-root' }, ({ rules, height }) =>
        checkCurveTree(undefined, rules.curveTree ? TREE : undefined, height),
      ),
      probe('the right ones', { 16: 'tree-root', 17: 'passes' }, ({ rules, height }) =>
        checkCurveTree(TREE, rules.curveTree ? TREE : undefined, height),
      ),
      probe('another root', { 16: 'tree-root' }, ({ rules, height }) =>
        checkCurveTree({ ...TREE, root: bytes32(2) }, rules.curveTree ? TREE : undefined, height),
      ),
      probe('other layers', { 16: 'tree-root' }, ({ rules, height }) =>
        checkCurveTree({ ...TREE, layers: 3 }, rules.curveTree ? TREE : undefined, height),
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Effective median and long-term weight',
    source: SOURCE.weight,
    probes: [
      value(
        'effective median of an empty chain',
        { 16: 300_000, 17: 625_000 },
        ({ rules }) => computeWeightState(rules, [0], 0).effectiveMedian,
      ),
      value(
        'S 30,000,000, L 1,000,000',
        { 16: 30_000_000, 17: 8_000_000 },
        ({ rules }) => computeWeightState(rules, [30_000_000], 1_000_000).effectiveMedian,
      ),
      value('a block of 1 on a median of 1,000,000', { 16: 588_235, 17: 833_333 }, ({ rules }) =>
        longTermWeight(rules, 1, 1_000_000),
      ),
      value('a block of 9,000,000 on it', { 16: 1_700_000, 17: 1_200_000 }, ({ rules }) =>
        longTermWeight(rules, 9_000_000, 1_000_000),
      ),
    ],
  },
  {
    topic: 'Miner transaction',
    rule: 'Outputs are Carrot outputs, at most 10,000, ascending by key; tx_extra has fewer than 1,060 bytes and 32 for each output',
    source: SOURCE.miner,
    probes: [
      probe('a tagged key', { 16: 'passes', 17: 'miner-tx-output-type' }, coinbase({}, tagged())),
      probe('a Carrot output', { 16: 'miner-tx-output-type', 17: 'passes' }, coinbase()),
      probe(
        'two, ascending',
        { 16: 'miner-tx-output-type', 17: 'passes' },
        coinbase({ outputs: carrots(3, 4) }),
      ),
      probe(
        'the same key twice',
        { 16: 'miner-tx-output-type', 17: 'miner-tx-unsorted-outputs' },
        coinbase({ outputs: carrots(3, 3) }),
      ),
      probe(
        'a key of zeros',
        { 16: 'miner-tx-output-type', 17: 'miner-tx-unsorted-outputs' },
        coinbase({ outputs: carrots(0) }),
      ),
      probe(
        'tx_extra of 1,091 bytes',
        { 16: 'miner-tx-output-type', 17: 'passes' },
        coinbase({ extra: new Uint8Array(1091) }),
      ),
      probe(
        'tx_extra of 1,092 bytes',
        { 16: 'miner-tx-output-type', 17: 'miner-tx-extra' },
        coinbase({ extra: new Uint8Array(1092) }),
      ),
      probe(
        '10,001 outputs',
        { 16: 'miner-tx-output-type', 17: 'miner-tx-output-count' },
        (place) => coinbase({ outputs: manyOutputs(10_001) })(place),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'Version 2, no unlock time, at most 1,060 bytes of tx_extra',
    source: SOURCE.ownRules,
    probes: [
      probe(
        'version 1',
        { 16: 'passes', 17: 'tx-version' },
        own(ringSigned([keyInput(1, 16, 100n)], [output(tagged(), 50n)])),
      ),
      probe(
        'unlock time 1',
        { 16: 'passes', 17: 'nonzero-unlock-time' },
        own(type6({ unlockTime: 1n })),
      ),
      probe(
        'tx_extra of 1,061 bytes',
        { 16: 'passes', 17: 'tx-extra-too-big' },
        own(type6({ extra: new Uint8Array(1061) })),
      ),
    ],
  },
  {
    topic: 'Transactions',
    rule: 'RingCT type 6 with tagged keys in a grace period, type 7 with Carrot outputs',
    source: SOURCE.ownRules,
    probes: [
      probe('type 6', { 16: 'passes', 18: 'unsorted-outputs' }, own(type6())),
      probe(
        'type 6, sorted',
        { 16: 'passes', 18: 'output-type' },
        own(type6({ outputs: [output(tagged(3)), output(tagged(4))] })),
      ),
      probe('type 7', { 16: 'output-type', 17: 'passes' }, own(fcmp())),
      probe(
        'type 7 with tagged keys',
        { 16: 'rct-type', 17: 'output-type' },
        own(fcmp({ outputs: [output(tagged(3)), output(tagged(4))] })),
      ),
      probe(
        'type 6 with Carrot outputs',
        { 16: 'output-type', 18: 'rct-type' },
        own(type6({ outputs: carrots(3, 4) })),
      ),
      probe(
        'type 7 with unsorted outputs',
        { 16: 'output-type', 17: 'unsorted-outputs' },
        own(fcmp({ outputs: carrots(4, 3) })),
      ),
      probe('type 7 with one output', { 16: 'tx-too-big' }, own(fcmp({ outputs: carrots(3) }))),
      probe(
        'reference block 0',
        { 16: 'output-type', 17: 'proof-layout' },
        own(fcmp({}, { referenceBlock: 0n })),
      ),
      probe(
        'a proof that is too short',
        { 16: 'output-type', 17: 'proof-layout' },
        own(fcmp({}, { proof: new Uint8Array(32) })),
      ),
    ],
  },
  {
    topic: 'Inputs',
    rule: 'Rings for type 6, none for type 7; no ring member is a Carrot output',
    source: SOURCE.inputs,
    probes: [
      probe('rings', { 16: 'passes', 18: 'ring-not-empty' }, inputsOf(type6())),
      probe(
        'a ring with a Carrot output',
        { 16: 'carrot-ring-member', 18: 'ring-not-empty' },
        inputsOf(type6(), { member: () => ringMember({ isCarrot: true }) }),
      ),
      probe(
        'no rings in type 6',
        { 16: 'ring-size', 17: 'empty-ring' },
        inputsOf(type6({ inputs: [keyInput(8, 0), keyInput(7, 0)] })),
      ),
      probe(
        'one ring and one input without',
        { 16: 'ring-size', 18: 'ring-not-empty' },
        inputsOf(type6({ inputs: [keyInput(8), keyInput(7, 0)] })),
      ),
      probe(
        'type 7, up to its proof',
        { 16: 'ring-size', 17: 'passes' },
        inputsOf(fcmp(), { tree: REFERRED }),
      ),
      probe(
        'type 7 where the tree of the reference block is not known',
        { 16: 'ring-size', 17: 'unverified-membership' },
        inputsOf(fcmp()),
      ),
      probe(
        'type 7 with another number of layers than the tree of the reference block',
        { 16: 'ring-size', 17: 'reference-block' },
        inputsOf(fcmp(), { tree: { ...REFERRED, layers: LAYERS + 1 } }),
      ),
      probe(
        'type 7 where the tree is empty',
        { 16: 'ring-size', 17: 'reference-block' },
        inputsOf(fcmp(), { tree: { layers: 0, root: bytes32(0) } }),
      ),
      probe(
        'type 7 with unsorted inputs',
        { 16: 'ring-size', 17: 'unsorted-inputs' },
        inputsOf(fcmp({ inputs: [keyInput(7, 0), keyInput(8, 0)] })),
      ),
      probe(
        'type 7 with an amount',
        { 16: 'ring-size', 17: 'input-amount' },
        inputsOf(fcmp({ inputs: [keyInput(8, 0, 1n), keyInput(7, 0)] })),
      ),
      probe(
        'type 7, spent',
        { 16: 'ring-size', 17: 'double-spend' },
        inputsOf(fcmp(), { spent: [7] }),
      ),
      probe(
        'the height of the chain as reference block',
        { 16: 'ring-size', 17: 'reference-block' },
        inputsOf(fcmp({}, { referenceBlock: 1000n })),
      ),
      probe(
        'the block below as reference block',
        { 16: 'ring-size', 17: 'passes' },
        inputsOf(fcmp({}, { referenceBlock: 999n }), { tree: REFERRED }),
      ),
    ],
  },
  {
    topic: 'Relay',
    rule: 'Fee rate of the relay policy, in atomic units per byte, for a reward of 0.6',
    source: SOURCE.fee,
    probes: [
      value('an empty chain', { 16: 19_000, 17: 19_200 }, (place) => rate(place, 0)),
      value('a median of 1,500,000', { 16: 760, 17: 3_333 }, (place) => rate(place, 1_500_000)),
    ],
  },
];

function rate({ rules }: ForkPlace, median: number): bigint {
  const weightState = computeWeightState(rules, [median], median);
  return dynamicBaseFee({ rules, baseReward: 600_000_000_000n, weightState });
}

/** Returns Carrot outputs with ascending keys. */
function manyOutputs(count: number): Transaction['outputs'] {
  return Array.from({ length: count }, (_, i) => {
    const key = new Uint8Array(32);
    new DataView(key.buffer).setUint32(0, i + 1);
    return output({
      kind: 'carrot',
      key,
      viewTag: new Uint8Array(3),
      encryptedJanusAnchor: new Uint8Array(16),
    });
  });
}
