import { parseBlock } from '@monero-node/codec';
import { computeWeightState, longTermWeight } from '../block/block-weight.ts';
import type { WeightState } from '../block/block-weight.ts';
import { dynamicBaseFee, feeEstimate, minimumFee } from '../relay/fees.ts';
import { LongTermMedian } from '../block/long-term-median.ts';
import { checkMinerTxAmount } from '../block/miner-tx.ts';
import { versionAtHeight } from '../network/hard-forks.ts';
import { NETWORKS, withOverrides } from '../network/networks.ts';
import type { Network } from '../network/types.ts';
import { addGeneratedCoins, blockReward } from '../block/reward.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { readFixture } from './fixtures.ts';
import type { RecordedChains } from './fixtures.ts';
import { codeOf, minerTx, parsed } from './transactions.ts';
import { transactionWeight } from '../transaction/transaction-weight.ts';

const chains = readFixture<RecordedChains>('chains.json.gz');
const forkNetwork = withOverrides(NETWORKS.stagenet, {
  hardForks: chains.forkHeights.map(([version, height]) => ({ version, height, time: 0 })),
});

/** The weights and coins of a chain, computed block by block by the rules. */
class Replay {
  readonly #network: Network;
  readonly weights: number[] = [];
  readonly longTerm = new LongTermMedian();
  coins = 0n;

  constructor(network: Network) {
    this.#network = network;
  }

  get rules() {
    return rulesFor(versionAtHeight(this.#network, this.weights.length));
  }

  get state(): WeightState {
    return computeWeightState(this.rules, this.weights.slice(-100), this.longTerm.median);
  }

  reward(blockWeight: number): bigint {
    return blockReward({
      rules: this.rules,
      medianWeight: this.state.rewardMedian,
      blockWeight,
      generatedCoins: this.coins,
    });
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

  /** Adds a block whose miner took `taken`; returns its long-term weight. */
  add(weight: number, taken: bigint, fees: bigint): number {
    const miner = parsed(minerTx(this.weights.length, [taken]));
    const rules = this.rules.minerTxDecomposed
      ? { ...this.rules, minerTxDecomposed: false } // outputs were not recorded, only their sum
      : this.rules;
    const recorded = checkMinerTxAmount(rules, miner, this.reward(weight), fees);
    const long = longTermWeight(this.rules, weight, this.longTerm.median);
    this.coins = addGeneratedCoins(this.coins, recorded);
    this.weights.push(weight);
    this.longTerm.push(long);
    return long;
  }
}

describe.each([
  ['wallets', NETWORKS.regtest],
  ['forks', forkNetwork],
] as const)('chain made by wallets: %s', (name, network) => {
  const { columns, median, limit, pool, fees } = chains[name];
  const [weights = [], longTermWeights = [], rewards = [], feeSums = []] = columns;
  const replay = new Replay(network);

  test('has the long-term weight and reward of every block', () => {
    expect(weights.length).toBeGreaterThan(1200);
    expect(feeSums.some((sum) => sum > 0)).toBe(true);
    weights.forEach((weight, height) => {
      const found = replay.add(weight, BigInt(rewards[height] ?? -1), BigInt(feeSums[height] ?? 0));
      expect([height, found]).toEqual([height, longTermWeights[height]]);
    });
  });

  test('has the medians at the tip', () => {
    expect(replay.state.effectiveMedian).toBe(median);
    expect(replay.state.limit).toBe(limit);
  });

  test('accepts the fees of pool transactions', () => {
    const { rules, state: weightState } = replay;
    expect(pool.length).toBeGreaterThan(0);
    for (const [weight, fee] of pool) {
      const least = minimumFee({ rules, weightState, baseReward: replay.reward(1), weight });
      expect(BigInt(fee)).toBeGreaterThanOrEqual(least);
    }
  });

  test('has the fee estimates', () => {
    for (const [grace, expected] of Object.entries(fees ?? {})) {
      expect(replay.estimate(Number(grace)).fees).toEqual(expected.map(BigInt));
    }
    expect(replay.estimate(0).fees[0]).toBe(1_200_000n);
  });
});

describe.each([
  ['heavy-regtest', NETWORKS.regtest],
  ['heavy-forks', forkNetwork],
] as const)('chain of chosen block weights: %s', (name, network) => {
  const { columns, samples } = chains[name];
  const [weights = [], longTermWeights = [], rewards = []] = columns;
  const GRACE = [0, 10, 60, 99];

  test('has the long-term weights, rewards, medians and fees of monerod', () => {
    const replay = new Replay(network);
    replay.add(transactionWeight(parseBlock(network.genesisBlob).minerTx), 17_592_186_044_415n, 0n);
    let penalized = 0;
    let sampled = 0;
    weights.forEach((weight, i) => {
      const height = i + 1;
      if (weight > replay.state.rewardMedian) penalized++;
      const found = replay.add(weight, BigInt(rewards[i] ?? -1), 0n);
      expect([height, found]).toEqual([height, longTermWeights[i]]);
      const sample = samples.find((one) => one.height === height);
      if (sample === undefined) return;
      sampled++;
      expect(replay.rules.version).toBe(sample.version);
      expect(replay.state.effectiveMedian).toBe(sample.median);
      expect(replay.state.limit).toBe(sample.limit);
      expectFees(replay, sample.fees);
    });
    expect(sampled).toBe(samples.length);
    expect(penalized).toBeGreaterThan(name === 'heavy-forks' ? 300 : 20);
  });

  function expectFees(replay: Replay, fees: readonly number[][]): void {
    GRACE.forEach((grace, i) => {
      const recorded = (fees[i] ?? []).map(BigInt);
      if (recorded.length === 4) {
        expect(replay.estimate(grace)).toEqual({
          fee: recorded[0],
          fees: recorded,
          quantizationMask: 10_000n,
        });
      } else if (grace === 0) {
        const { rules, state: weightState } = replay;
        const rate = dynamicBaseFee({ rules, weightState, baseReward: replay.reward(1) });
        expect([rules.version, rate]).toEqual([rules.version, recorded[0]]);
      }
    });
  }
});

test('accepts 0 to 99 grace blocks', () => {
  const replay = new Replay(NETWORKS.regtest);
  for (const grace of [-1, 100, 1.5]) expect(() => replay.estimate(grace)).toThrow(RangeError);
  expect(replay.estimate(99).fees).toHaveLength(4);
});

test('rejects a miner that takes one atomic unit too much', () => {
  const replay = new Replay(NETWORKS.regtest);
  replay.add(80, 17_592_186_044_415n, 0n);
  const reward = replay.reward(400_000);
  expect(codeOf(() => replay.add(400_000, reward + 1n, 0n))).toBe('miner-tx-amount');
  expect(codeOf(() => replay.add(400_000, reward - 1n, 0n))).toBe('miner-tx-amount');
  expect(codeOf(() => replay.add(600_001, 0n, 0n))).toBe('block-too-big');
  expect(codeOf(() => replay.add(400_000, reward, 0n))).toBeUndefined();
});
