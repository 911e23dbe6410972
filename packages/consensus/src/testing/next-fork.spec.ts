import { fromHex, parseBlock, parseTransaction, type ParsedTransaction } from '@monero-node/codec';
import {
  applyEdits,
  readNextFork,
  readNextForkChanged,
  type NextForkChain,
} from '@monero-node/codec/testing';
import { createReferenceBackend, runCheck } from '@monero-node/crypto';
import { computeWeightState, longTermWeight } from '../block/block-weight.ts';
import type { WeightState } from '../block/block-weight.ts';
import { checkCurveTree, checkVersion } from '../block/header.ts';
import { LongTermMedian } from '../block/long-term-median.ts';
import { checkMinerTxAmount, checkMinerTxShape, minerTxPoints } from '../block/miner-tx.ts';
import { addGeneratedCoins, blockReward } from '../block/reward.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { versionAtHeight } from '../network/hard-forks.ts';
import { NETWORKS, withOverrides } from '../network/networks.ts';
import type { Network } from '../network/types.ts';
import { feeOf } from '../transaction/fee-of.ts';
import { fcmpWeight, transactionWeight } from '../transaction/transaction-weight.ts';
import { checkTransaction } from '../transaction/transaction.ts';
import { dynamicBaseFee, feeEstimate } from '../relay/fees.ts';
import { readFixture } from './fixtures.ts';
import { codeOf } from './transactions.ts';

/** Weights and fees of the scaling of 2026; see fixtures/README.md. */
interface Weights {
  readonly max: { inputs: number; outputs: number; extra: number; weight: number };
  readonly weights: readonly (readonly [
    inputs: number,
    outputs: number,
    extra: number,
    weight: number,
  ])[];
  readonly fees: readonly {
    base_reward: number;
    Mlw: number;
    min_fee_per_byte: number;
    estimate: number[];
  }[];
  /** Answers of upstream's node on the chain `long`; no fees where it refused. */
  readonly estimates: readonly {
    height: number;
    grace: number;
    fee: number | null;
    fees: number[] | null;
  }[];
  readonly limits: readonly { height: number; median: number; limit: number }[];
}

const recorded = readFixture<Weights>('next-fork-weights.json.gz');
const { chains } = readNextFork();
const backend = createReferenceBackend();
const TAIL = (1n << 64n) - 1n;

/** Whether the check that the node makes of such points accepts one. */
const isOfPrimeOrder = (key: Uint8Array): boolean =>
  runCheck(backend, { kind: 'key-images', keyImages: [key] })[0] === true;

function networkOf({ forks }: Pick<NextForkChain, 'forks'>): Network {
  const [first] = forks;
  const hardForks = forks.map(({ version, height }) => ({ version, height, time: height }));
  const genesis = first?.height === 1 ? [{ version: 1, height: 0, time: 0 }] : [];
  return withOverrides(NETWORKS.regtest, { hardForks: [...genesis, ...hardForks] });
}

/** The state that rules of weights and fees depend on, after the blocks that were added. */
class Replay {
  readonly network: Network;
  readonly weights: number[] = [];
  readonly longTerm = new LongTermMedian();
  coins = 0n;

  constructor(network: Network) {
    this.network = network;
  }

  get rules() {
    return rulesFor(versionAtHeight(this.network, this.weights.length));
  }

  get state(): WeightState {
    return computeWeightState(this.rules, this.weights.slice(-100), this.longTerm.median);
  }

  reward(blockWeight: number): bigint {
    const medianWeight = this.state.rewardMedian;
    return blockReward({
      rules: this.rules,
      medianWeight,
      blockWeight,
      generatedCoins: this.coins,
    });
  }

  /** Adds a block with a weight, whose miner takes what the rules allow, and returns its long-term weight. */
  add(weight: number, minerTx: ParsedTransaction | undefined, taken: bigint, fees: bigint): number {
    const reward = this.reward(weight);
    if (minerTx === undefined) expect(reward + fees).toBe(taken);
    else checkMinerTxAmount(this.rules, minerTx, reward, fees);
    const long = longTermWeight(this.rules, weight, this.longTerm.median);
    this.coins = addGeneratedCoins(this.coins, reward);
    this.weights.push(weight);
    this.longTerm.push(long);
    return long;
  }

  estimate(graceBlocks: number) {
    return feeEstimate({
      rules: this.rules,
      last100Weights: this.weights.slice(-100),
      longTermWeights: this.longTerm,
      generatedCoins: this.coins,
      effectiveMedian: this.state.effectiveMedian,
      graceBlocks,
    });
  }
}

describe.each(chains.map((chain) => [chain.name, chain] as const))('chain %s', (name, chain) => {
  test('weights, fees, rewards and coinbases of every block', () => {
    const replay = new Replay(networkOf(chain));
    for (const [height, block] of chain.blocks.entries()) {
      if (name === 'long') expectAnswers(replay, height);
      const txs = chain.transactions
        .filter((tx) => tx.height === height)
        .map(({ blob }) => parseTransaction(fromHex(blob)));
      // Blocks with thousands of outputs are stored as recipes, which the tests of the codec follow.
      const parsed = block.blob === '' ? undefined : parseBlock(fromHex(block.blob));
      if (parsed !== undefined) {
        checkVersion(replay.network, height, parsed.block);
        if (height > 0) checkMinerTxShape(replay.rules, height, parsed.minerTx);
        expect(parsed.block.tree !== undefined).toBe(replay.rules.curveTree);
        expect(minerTxPoints(parsed.minerTx).every(isOfPrimeOrder)).toBe(true);
        const all = [parsed.minerTx, ...txs];
        expect(all.reduce((sum, tx) => sum + transactionWeight(tx), 0)).toBe(block.weight);
      }
      const fees = txs.reduce((sum, tx) => sum + feeOf(tx), 0n);
      const long = replay.add(block.weight, parsed?.minerTx, BigInt(block.reward), fees);
      expect([height, long]).toEqual([height, block.longTermWeight]);
    }
    if (name === 'long') expectAnswers(replay, chain.blocks.length);
  });

  test('weights of transactions, and the rules that need nothing but them', () => {
    const network = networkOf(chain);
    for (const { blob, weight, fee, height = 0 } of chain.transactions) {
      const parsed = parseTransaction(fromHex(blob));
      expect(feeOf(parsed)).toBe(BigInt(fee));
      if (weight !== null) expect(transactionWeight(parsed)).toBe(weight);
      const rules = rulesFor(versionAtHeight(network, height));
      const { torsionFree = [] } = checkTransaction(rules, parsed);
      const isFcmp = parsed.tx.rct?.type === 7;
      expect(torsionFree).toHaveLength(isFcmp ? 2 * parsed.tx.outputs.length : 0);
    }
  });
});

/** Compares the estimates and limits that upstream's node gave at a height. */
function expectAnswers(replay: Replay, height: number): void {
  for (const { grace, fees } of recorded.estimates.filter((each) => each.height === height)) {
    if (fees === null) expect(() => replay.estimate(grace)).toThrow(RangeError);
    else
      expect([height, grace, replay.estimate(grace).fees]).toEqual([
        height,
        grace,
        fees.map(BigInt),
      ]);
  }
  for (const { median, limit } of recorded.limits.filter((each) => each.height === height)) {
    expect([replay.state.effectiveMedian, replay.state.limit]).toEqual([median, limit]);
  }
}

test('estimates were recorded before, between and after the forks', () => {
  const heights = new Set(recorded.estimates.map(({ height }) => height));
  expect([...heights].some((height) => height < 130)).toBe(true);
  expect([...heights].some((height) => height >= 130 && height < 180)).toBe(true);
  expect([...heights].some((height) => height >= 180)).toBe(true);
});

test('weights of transactions with up to 128 inputs and 16 outputs', () => {
  for (const [inputs, outputs, extra, weight] of recorded.weights) {
    expect([inputs, outputs, fcmpWeight(inputs, outputs, extra)]).toEqual([
      inputs,
      outputs,
      weight,
    ]);
  }
  const { inputs, outputs, extra, weight } = recorded.max;
  expect(fcmpWeight(inputs, outputs, extra)).toBe(weight);
  expect(rulesFor(17).maxTxWeight).toBe(weight);
  for (const impossible of [
    [0, 2, 44],
    [129, 2, 44],
    [1, 1, 44],
    [1, 17, 44],
    [1, 2, 1061],
  ] as const) {
    const [n, m, x] = impossible;
    expect(fcmpWeight(n, m, x)).toBe(Infinity);
  }
});

test('fees of the scaling of 2026', () => {
  for (const { base_reward, Mlw, min_fee_per_byte, estimate } of recorded.fees) {
    const rules = rulesFor(17);
    const weightState = computeWeightState(rules, [Mlw], Mlw);
    const baseReward = BigInt(base_reward);
    expect(dynamicBaseFee({ rules, baseReward, weightState })).toBe(BigInt(min_fee_per_byte));
    // The reward is the tail's, but for one row.
    const generatedCoins = TAIL - (baseReward === 600_000_000_000n ? 0n : baseReward << 19n);
    const { fees } = feeEstimate({
      rules,
      last100Weights: [Mlw],
      longTermWeights: LongTermMedian.from([Mlw]),
      generatedCoins,
      effectiveMedian: weightState.effectiveMedian,
      graceBlocks: 0,
    });
    expect(fees).toEqual(estimate.map(BigInt));
  }
});

describe('changed blocks get the verdict of upstream', () => {
  const { blocks } = readNextForkChanged();
  const long = chains.find(({ name }) => name === 'long') as NextForkChain;
  const network = networkOf(long);

  /** Upstream checks them against its clock, its chain or its pool. */
  const NEEDS_A_CHAIN = /^timestamp|^unknown (transaction|previous)/;

  test.each(blocks.map((group) => [group.group, group] as const))('%s', (_, group) => {
    const { height, base, cases } = group;
    const rules = rulesFor(versionAtHeight(network, height));
    const right = parseBlock(fromHex(base));
    const reward = right.block.minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n);
    const judge = (bytes: Uint8Array) => {
      const { block, minerTx } = parseBlock(bytes);
      checkVersion(network, height, block);
      checkCurveTree(block.tree, right.block.tree, height);
      checkMinerTxShape(rules, height, minerTx);
      checkMinerTxAmount(rules, minerTx, reward, 0n);
      return minerTxPoints(minerTx).every(isOfPrimeOrder);
    };
    const wrong: string[] = [];
    let judged = 0;
    for (const { name, edits, becameTip, message } of cases) {
      if (message === 'Wrong block blob' || NEEDS_A_CHAIN.test(name)) continue;
      judged++;
      let isTaken = false;
      const code = codeOf(() => (isTaken = judge(applyEdits(fromHex(base), edits))));
      if ((code === undefined && isTaken) !== becameTip) wrong.push(`${name}: ${code ?? isTaken}`);
    }
    expect(wrong).toEqual([]);
    expect(judged).toBeGreaterThan(18);
  });
});
