import { COINBASE_RESERVED_SIZE } from '../primitives/constants.ts';
import type { ForkRules } from './fork-rules.ts';

type RuleChanges = Partial<Omit<ForkRules, 'version' | 'minRingSize'>>;

/**
 * Two mainnet transactions of RingCT type 4 that are in blocks of fork 14, because pools had verified
 * them under fork 13. Source: Blockchain::check_tx_outputs in src/cryptonote_core/blockchain.cpp.
 */
const TYPE_4_STRAGGLERS = [
  'c5151944f0583097ba0c88cd0f43e7fabb3881278aa2f73b3b0a007c5d34e910',
  '6f2f117cde6fbcf8d4a6ef8974fcac744726574ac38cf25d3322c996b21edd4c',
];

/**
 * Weight: half the smallest zone, less the bytes reserved for the miner transaction.
 * Source: get_transaction_weight_limit in src/cryptonote_core/tx_verification_utils.cpp.
 */
const HALF_ZONE_LIMIT = 300_000 / 2 - COINBASE_RESERVED_SIZE;

const VERSION_1: Omit<ForkRules, 'version' | 'minRingSize'> = {
  difficultyTarget: 60,
  powAlgorithm: 'cryptonight-0',
  minBlockWeight: 20_000,
  effectiveMedianFloor: 'none',
  rewardMedian: 'short-term',
  emissionShift: 20n,
  tailReward: 300_000_000_000n,
  cumulativeRctOutputs: false,
  minerTxMinVersion: 1,
  minerTxNullRct: false,
  minerTxDecomposed: false,
  minerTxExactReward: true,
  maxTxVersion: 1,
  minTxVersion: 1,
  rctTypes: [],
  rctTypeExemptions: [],
  outputTargets: ['key'],
  decomposedOutputs: false,
  zeroOutputAmounts: false,
  minOutputs: 0,
  minDecoys: 0,
  equalRings: false,
  distinctRingMembers: false,
  sortedInputs: false,
  minRingMemberAge: 0,
  timeLockClock: 'wall',
  timeLockLeeway: 60,
  fee: { kind: 'per-kb', baseFee: 2_000_000_000n },
  coinbaseVersion: 1,
  coinbaseViewTags: false,
};

/**
 * The changes of each fork from the second on. Source: HF_VERSION_* in src/cryptonote_config.h, and
 * their uses in src/cryptonote_core/blockchain.cpp and tx_verification_utils.cpp.
 */
const CHANGES: readonly RuleChanges[] = [
  /* 2 */ {
    difficultyTarget: 120,
    minBlockWeight: 60_000,
    emissionShift: 19n,
    tailReward: 600_000_000_000n,
    minerTxExactReward: false,
    decomposedOutputs: true,
    minDecoys: 2,
    timeLockLeeway: 120,
  },
  /* 3 */ { minerTxDecomposed: true, zeroOutputAmounts: true },
  /* 4 */ {
    minerTxDecomposed: false,
    cumulativeRctOutputs: true,
    maxTxVersion: 2,
    rctTypes: [1, 2],
    fee: { kind: 'per-kb-scaled', baseFee: 2_000_000_000n },
    coinbaseVersion: 2,
  },
  /* 5 */ { minBlockWeight: 300_000, fee: { kind: 'per-kb-scaled', baseFee: 400_000_000n } },
  /* 6 */ { minTxVersion: 2, minDecoys: 4, distinctRingMembers: true },
  /* 7 */ { powAlgorithm: 'cryptonight-1', minDecoys: 6, sortedInputs: true },
  /* 8 */ {
    powAlgorithm: 'cryptonight-2',
    maxTxWeight: HALF_ZONE_LIMIT,
    rctTypes: [1, 2, 3],
    minDecoys: 10,
    exactDecoys: [10],
    fee: { kind: 'per-byte' },
  },
  /* 9 */ { rctTypes: [3] },
  /* 10 */ {
    powAlgorithm: 'cryptonight-r',
    longTermWeight: { growth: { numerator: 2, denominator: 5 } },
    effectiveMedianFloor: 'min-zone',
    rctTypes: [3, 4],
  },
  /* 11 */ { rctTypes: [4] },
  /* 12 */ {
    powAlgorithm: 'randomx',
    rewardMedian: 'effective',
    minerTxMinVersion: 2,
    minerTxNullRct: true,
    minOutputs: 2,
    equalRings: true,
    minRingMemberAge: 10,
  },
  /* 13 */ { minerTxExactReward: true, rctTypes: [4, 5], timeLockClock: 'chain' },
  /* 14 */ { rctTypes: [5], rctTypeExemptions: TYPE_4_STRAGGLERS },
  /* 15 */ {
    longTermWeight: {
      growth: { numerator: 7, denominator: 10 },
      floor: { numerator: 10, denominator: 17 },
    },
    effectiveMedianFloor: 'long-term-median',
    rctTypes: [5, 6],
    outputTargets: ['key', 'tagged-key'],
    minDecoys: 15,
    exactDecoys: [10, 15],
    fee: { kind: 'per-byte-squared' },
    coinbaseViewTags: true,
  },
  /* 16 */ {
    rctTypes: [6],
    rctTypeExemptions: [],
    outputTargets: ['tagged-key'],
    exactDecoys: [15],
  },
];

const TABLE: readonly ForkRules[] = buildTable();

/** The newest fork that this node knows. */
export const NEWEST_VERSION = TABLE.length;

function buildTable(): ForkRules[] {
  let current = VERSION_1;
  const table = [complete(1, current)];
  CHANGES.forEach((changes, i) => {
    current = { ...current, ...changes };
    table.push(complete(i + 2, current));
  });
  return table;
}

function complete(version: number, rules: Omit<ForkRules, 'version' | 'minRingSize'>): ForkRules {
  return Object.freeze({ ...rules, version, minRingSize: rules.minDecoys + 1 });
}

/**
 * Returns the rules of a hard fork.
 *
 * Throws RangeError for an unknown version.
 *
 * Source: HF_VERSION_* in src/cryptonote_config.h.
 *
 * @param version major version, 1 to NEWEST_VERSION, as versionAtHeight returns it
 */
export function rulesFor(version: number): ForkRules {
  const rules = TABLE[version - 1];
  if (rules === undefined) throw new RangeError(`no rules for hard fork version ${version}`);
  return rules;
}
