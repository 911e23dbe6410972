import { computeWeightState } from '../../block/block-weight.ts';
import { nextDifficulty } from '../../block/difficulty.ts';
import { dynamicBaseFee } from '../../relay/fees.ts';
import { adjustedTime, checkTimestamp, checkVersion } from '../../block/header.ts';
import { longTermWeight } from '../../block/block-weight.ts';
import { checkMinerTxAmount, checkMinerTxShape } from '../../block/miner-tx.ts';
import { blockReward } from '../../block/reward.ts';
import { minerTx, output, parsed, plain, tagged } from '../transactions.ts';
import { always, before, from, PASSES, probe, value } from './types.ts';
import type { ForkRuleCase, ForkPlace } from './types.ts';

const T = 1_700_000_000;
const MAX = (1n << 64n) - 1n;
const header = (place: ForkPlace, major: number, minor: number) =>
  checkVersion(place.network, place.height, {
    majorVersion: major,
    minorVersion: minor,
    timestamp: 0,
    prevId: new Uint8Array(32),
    nonce: 0,
  });
const timestamps = (count: number) => Array.from({ length: count }, () => T);

/** `full`, `reduced` or the error, for a block on a chain of empty blocks. */
const penalty = (name: string, outcomes: Record<number, string>, weight: number) => {
  const reward = ({ rules }: ForkPlace, blockWeight: number) =>
    blockReward({ rules, medianWeight: 0, blockWeight, generatedCoins: 0n });
  const judge = probe(name, {}, (place) => reward(place, weight));
  return {
    ...judge,
    outcomes,
    run: (place: ForkPlace) => {
      const outcome = judge.run(place);
      if (outcome !== 'passes') return outcome;
      return reward(place, weight) === reward(place, 1) ? 'full reward' : 'reduced';
    },
  };
};
const state = ({ rules }: ForkPlace, shortTerm: number, longTerm: number) =>
  computeWeightState(rules, [shortTerm], longTerm);

const COIN = 10n ** 12n;
const shape = (tx: (place: ForkPlace) => ReturnType<typeof minerTx>) => (place: ForkPlace) =>
  checkMinerTxShape(place.rules, place.height, parsed(tx(place)));
const target = ({ version }: ForkPlace) => (version >= 16 ? tagged() : plain());
const coinbase = (place: ForkPlace, options: Parameters<typeof minerTx>[2] = {}) =>
  minerTx(place.height, [COIN], { target: target(place), ...options });
const amount =
  (amounts: bigint[], reward: bigint, fees: bigint, version: 1 | 2 = 2) =>
  (place: ForkPlace) =>
    checkMinerTxAmount(
      place.rules,
      parsed(minerTx(place.height, amounts, { version })),
      reward,
      fees,
    );

export const BLOCK_CASES: readonly ForkRuleCase[] = [
  {
    topic: 'Blocks',
    rule: 'The major version is that of the height, and the vote (minor version, 0 read as 1) is not below it',
    source: 'HardFork::do_check in src/cryptonote_basic/hardfork.cpp',
    probes: [
      probe('version and vote of the fork', PASSES, (p) => header(p, p.version, p.version)),
      probe('a vote above it', PASSES, (p) => header(p, p.version, 200)),
      probe('a vote one below it', from(2, 'wrong-version'), (p) =>
        header(p, p.version, p.version - 1),
      ),
      probe('the version one below', always('wrong-version'), (p) =>
        header(p, p.version - 1, p.version),
      ),
      probe('the version one above', always('wrong-version'), (p) =>
        header(p, p.version + 1, p.version + 1),
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'The timestamp is at most two hours ahead, and not below the median of the last 60 blocks',
    source: 'check_block_timestamp in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe('7,200 s ahead', PASSES, (p) => checkTimestamp(T + 7200, [], p.height, T)),
      probe('7,201 s ahead', always('timestamp-too-new'), (p) =>
        checkTimestamp(T + 7201, [], p.height, T),
      ),
      probe('the median', PASSES, (p) => checkTimestamp(T, timestamps(60), p.height, T)),
      probe('a second below the median', always('timestamp-too-old'), (p) =>
        checkTimestamp(T - 1, timestamps(60), p.height, T),
      ),
      probe('below the median of 59 blocks', PASSES, (p) =>
        checkTimestamp(0, timestamps(59), p.height, T),
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Proof-of-work algorithm',
    source: 'get_block_longhash in src/cryptonote_core/cryptonote_tx_utils.cpp',
    probes: [
      value(
        'algorithm',
        {
          1: 'cryptonight-0',
          7: 'cryptonight-1',
          8: 'cryptonight-2',
          10: 'cryptonight-r',
          12: 'randomx',
        },
        ({ rules }) => rules.powAlgorithm,
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Target of the difficulty: 60 or 120 seconds per block',
    source: 'get_difficulty_for_next_block in src/cryptonote_core/blockchain.cpp',
    probes: [
      value('difficulty after work of 600 in 60 s', { 1: 600, 2: 1200 }, ({ rules }) =>
        nextDifficulty([T, T + 60], [1n, 601n], rules.difficultyTarget),
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Weight up to which a block is never penalized; a block of more than twice the median is rejected',
    source: 'get_block_reward in src/cryptonote_basic/cryptonote_basic_impl.cpp',
    probes: [
      penalty('20,000', { 1: 'full reward' }, 20_000),
      penalty('20,001', { 1: 'reduced', 2: 'full reward' }, 20_001),
      penalty('40,000', { 1: 'reduced', 2: 'full reward' }, 40_000),
      penalty('40,001', { 1: 'block-too-big', 2: 'full reward' }, 40_001),
      penalty('60,000', { 1: 'block-too-big', 2: 'full reward' }, 60_000),
      penalty('60,001', { 1: 'block-too-big', 2: 'reduced', 5: 'full reward' }, 60_001),
      penalty('120,001', { 1: 'block-too-big', 5: 'full reward' }, 120_001),
      penalty('300,000', { 1: 'block-too-big', 5: 'full reward' }, 300_000),
      penalty('300,001', { 1: 'block-too-big', 5: 'reduced' }, 300_001),
      penalty('600,000', { 1: 'block-too-big', 5: 'reduced' }, 600_000),
      penalty('600,001', { 1: 'block-too-big' }, 600_001),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Effective median, which limits templates and bytes, from the short-term median S and the long-term median L',
    source: 'update_next_cumulative_weight_limit in src/cryptonote_core/blockchain.cpp',
    probes: [
      value(
        'S 30,000,000, L 400,000',
        { 1: 30_000_000, 10: 20_000_000 },
        (p) => state(p, 30_000_000, 400_000).effectiveMedian,
      ),
      value(
        'S 100,000, L 400,000',
        { 1: 100_000, 5: 300_000, 15: 400_000 },
        (p) => state(p, 100_000, 400_000).effectiveMedian,
      ),
      value(
        'S 0, L 0',
        { 1: 20_000, 2: 60_000, 5: 300_000 },
        (p) => state(p, 0, 0).effectiveMedian,
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Median that sets the reward penalty and the hard weight limit',
    source: 'validate_miner_transaction in src/cryptonote_core/blockchain.cpp',
    probes: [
      value(
        'S 30,000,000, L 400,000',
        { 1: 30_000_000, 12: 20_000_000 },
        (p) => state(p, 30_000_000, 400_000).rewardMedian,
      ),
      value(
        'S 100,000, L 400,000',
        { 1: 100_000, 5: 300_000, 15: 400_000 },
        (p) => state(p, 100_000, 400_000).rewardMedian,
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Long-term weight of a block',
    source: 'get_next_long_term_block_weight in src/cryptonote_core/blockchain.cpp',
    probes: [
      value('a block of 1 on a median of 1,700,000', { 1: 1, 15: 1_000_000 }, ({ rules }) =>
        longTermWeight(rules, 1, 1_700_000),
      ),
      value(
        'a block of 10,000,000 on a median of 1,000,000',
        { 1: 10_000_000, 10: 1_400_000, 15: 1_700_000 },
        ({ rules }) => longTermWeight(rules, 10_000_000, 1_000_000),
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Base reward, in atomic units',
    source: 'get_block_reward in src/cryptonote_basic/cryptonote_basic_impl.cpp',
    probes: [
      value('no coins generated', { 1: 17_592_186_044_415n, 2: 35_184_372_088_831n }, (p) =>
        blockReward({ rules: p.rules, medianWeight: 0, blockWeight: 1, generatedCoins: 0n }),
      ),
      value('all coins generated', { 1: 300_000_000_000n, 2: 600_000_000_000n }, (p) =>
        blockReward({ rules: p.rules, medianWeight: 0, blockWeight: 1, generatedCoins: MAX }),
      ),
    ],
  },
  {
    topic: 'Blocks',
    rule: 'Clock that time locks are compared with: of this node, or of the chain',
    source: 'get_adjusted_time in src/cryptonote_core/blockchain.cpp',
    probes: [
      value('60 equal timestamps, a day ago', { 1: 'now', 13: 'timestamp + 120' }, ({ rules }) =>
        adjustedTime(rules, timestamps(60), 100, T + 86_400) === T + 120
          ? 'timestamp + 120'
          : 'now',
      ),
      value('the largest of 60, not the last', { 1: 'now', 13: 'largest' }, ({ rules }) => {
        const list = [T + 50, ...timestamps(59)];
        return adjustedTime(rules, list, 100, T + 86_400) === T + 170 ? 'largest' : 'now';
      }),
      value('59 blocks', { 1: 'now' }, ({ rules }) =>
        adjustedTime(rules, timestamps(59), 59, T + 86_400) === T + 86_400 ? 'now' : 'chain',
      ),
    ],
  },
  {
    topic: 'Miner transaction',
    rule: 'Version',
    source: 'prevalidate_miner_transaction in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'version 1',
        from(12, 'miner-tx-version'),
        shape((p) => coinbase(p, { version: 1 })),
      ),
      probe(
        'version 2',
        PASSES,
        shape((p) => coinbase(p)),
      ),
    ],
  },
  {
    topic: 'Miner transaction',
    rule: 'RingCT type 0',
    source: 'prevalidate_miner_transaction in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'type 0',
        PASSES,
        shape((p) => coinbase(p)),
      ),
      probe(
        'type 2',
        from(12, 'miner-tx-rct'),
        shape((p) => coinbase(p, { rctType: 2 })),
      ),
    ],
  },
  {
    topic: 'Miner transaction',
    rule: 'It has one input, which names the height; it is locked for 60 blocks; its amounts fit 64 bits',
    source: 'prevalidate_miner_transaction in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe(
        'another height',
        always('miner-tx-height'),
        shape((p) => ({ ...coinbase(p), inputs: [{ kind: 'gen', height: p.height + 1 }] })),
      ),
      probe(
        'two inputs',
        always('miner-tx-inputs'),
        shape((p) => ({ ...coinbase(p), inputs: [...coinbase(p).inputs, ...coinbase(p).inputs] })),
      ),
      ...[59, 61].map((blocks) =>
        probe(
          `locked for ${blocks} blocks`,
          always('miner-tx-unlock'),
          shape((p) => ({ ...coinbase(p), unlockTime: BigInt(p.height + blocks) })),
        ),
      ),
      probe(
        'amounts of 2^64',
        always('miner-tx-overflow'),
        shape((p) => ({
          ...coinbase(p),
          outputs: [output(target(p), MAX), output(target(p), 1n)],
        })),
      ),
    ],
  },
  {
    topic: 'Miner transaction',
    rule: 'Output targets: keys or tagged keys, but not both in one transaction',
    source: 'check_output_types in src/cryptonote_basic/cryptonote_format_utils.cpp',
    probes: [
      probe(
        'keys',
        from(16, 'miner-tx-output-type'),
        shape((p) => coinbase(p, { target: plain() })),
      ),
      probe(
        'tagged keys',
        before(15, 'miner-tx-output-type'),
        shape((p) => coinbase(p, { target: tagged() })),
      ),
      probe(
        'both',
        always('miner-tx-output-type'),
        shape((p) => ({ ...coinbase(p), outputs: [output(plain(), 1n), output(tagged(), 1n)] })),
      ),
    ],
  },
  {
    topic: 'Miner transaction',
    rule: 'Amounts are one digit followed by zeros',
    source: 'validate_miner_transaction in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe('60 and 4', PASSES, amount([60n, 4n], 64n, 0n)),
      probe(
        '64',
        { 1: 'passes', 3: 'miner-tx-decomposition', 4: 'passes' },
        amount([64n], 64n, 0n),
      ),
    ],
  },
  {
    topic: 'Miner transaction',
    rule: 'It takes exactly reward and fees; under forks 2 to 12 it may take less, but at least the fees',
    source: 'validate_miner_transaction in src/cryptonote_core/blockchain.cpp',
    probes: [
      probe('all of it', PASSES, amount([70n], 60n, 10n)),
      probe('more', always('miner-tx-amount'), amount([80n], 60n, 10n)),
      probe(
        'less',
        { 1: 'miner-tx-amount', 2: 'passes', 13: 'miner-tx-amount' },
        amount([60n], 60n, 10n),
      ),
      probe(
        'just the fees',
        { 1: 'miner-tx-amount', 2: 'passes', 13: 'miner-tx-amount' },
        amount([10n], 60n, 10n),
      ),
      probe('less than the fees', always('miner-tx-amount'), amount([9n], 60n, 10n)),
      value('what is recorded of 40 out of 60 and 10', { 1: 'none', 2: 30, 13: 'none' }, (p) => {
        try {
          return amount([40n], 60n, 10n)(p);
        } catch {
          return 'none';
        }
      }),
    ],
  },
  {
    topic: 'Miner transaction',
    rule: "Version 1: no output of amount 0, because upstream's database cannot store it",
    source: 'BlockchainLMDB::add_output in src/blockchain_db/lmdb/db_lmdb.cpp',
    probes: [
      probe(
        '60 and 0',
        { 1: 'miner-tx-zero-output', 3: 'miner-tx-decomposition', 4: 'miner-tx-zero-output' },
        amount([60n, 0n], 60n, 0n, 1),
      ),
    ],
  },
  {
    topic: 'Relay',
    rule: 'Fee rate of the relay policy, in atomic units: per kB up to fork 7, per byte from fork 8 on',
    source: 'get_dynamic_base_fee in src/cryptonote_core/blockchain.cpp',
    probes: [60_000, 300_000].map((median) =>
      value(
        `reward of 10 coins, median ${median.toLocaleString('en')}`,
        {
          1: 2_000_000_000,
          4: median === 60_000 ? 2_000_000_000 : 400_000_000,
          5: 400_000_000,
          8: 66_666,
          15: 316_667,
        },
        ({ rules }) =>
          dynamicBaseFee({
            rules,
            baseReward: 10n * COIN,
            weightState: {
              shortTermMedian: median,
              longTermMedian: 300_000,
              effectiveMedian: median,
              rewardMedian: median,
              limit: 2 * median,
            },
          }),
      ),
    ),
  },
];
