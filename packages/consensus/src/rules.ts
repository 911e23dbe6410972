/** Kinds of output targets that may appear on the chain. */
export type OutputTargetKind = 'key' | 'tagged-key';

/** An exact fraction: weights are scaled with floor division. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * How a fork asks for relay fees. `per-kb`: a fixed rate; `per-kb-scaled`: falls with the median and
 * the reward; `per-byte`: the same per byte; `per-byte-squared`: falls with the median's square.
 * `baseFee`: atomic units per kB.
 */
export type FeeRule =
  | { readonly kind: 'per-kb'; readonly baseFee: bigint }
  | { readonly kind: 'per-kb-scaled'; readonly baseFee: bigint }
  | { readonly kind: 'per-byte' }
  | { readonly kind: 'per-byte-squared' };

/**
 * Everything in which one hard fork differs from another. Code asks this table and never compares
 * version numbers.
 */
export interface ForkRules {
  /** Major version of the blocks under these rules. */
  readonly version: number;

  // Blocks
  /** Seconds per block that the difficulty aims at. */
  readonly difficultyTarget: number;
  readonly powAlgorithm:
    'cryptonight-0' | 'cryptonight-1' | 'cryptonight-2' | 'cryptonight-r' | 'randomx';
  /** Weight up to which blocks are never penalized: the lower bound of every median. */
  readonly minBlockWeight: number;
  /**
   * Bounds of a block's long-term weight around the long-term median; absent: it is the weight
   * itself and no long-term median is used. `growth` is added on top, `floor` multiplied.
   */
  readonly longTermWeight?: { readonly growth: Fraction; readonly floor?: Fraction };
  /** What the short-term median is raised to before the surge cap: see computeWeightState. */
  readonly effectiveMedianFloor: 'none' | 'min-zone' | 'long-term-median';
  /** Which median sets the reward penalty and the hard weight limit. */
  readonly rewardMedian: 'short-term' | 'effective';
  /** Base reward = remaining supply >> this. */
  readonly emissionShift: bigint;
  /** Atomic units the base reward never falls below. */
  readonly tailReward: bigint;
  /** Per-block counts of RingCT outputs run on from the block before, instead of starting anew. */
  readonly cumulativeRctOutputs: boolean;

  // Miner transaction
  readonly minerTxMinVersion: 1 | 2;
  /** A version 2 miner transaction must have RingCT type 0; otherwise the type is ignored. */
  readonly minerTxNullRct: boolean;
  /** Amounts must be one decimal digit followed by zeros. */
  readonly minerTxDecomposed: boolean;
  /** Must take exactly reward plus fees; otherwise may take less, and the rest stays in supply. */
  readonly minerTxExactReward: boolean;

  // Transactions
  readonly maxTxVersion: 1 | 2;
  /** Below it only with an unmixable input. */
  readonly minTxVersion: 1 | 2;
  /** Weight limit of one transaction. */
  readonly maxTxWeight?: number;
  /** RingCT types allowed in transactions. */
  readonly rctTypes: readonly number[];
  /** Ids (hex) of transactions on mainnet that are exempt from `rctTypes`. */
  readonly rctTypeExemptions: readonly string[];
  readonly outputTargets: readonly OutputTargetKind[];
  /** Version 1 output amounts must be one decimal digit followed by zeros. */
  readonly decomposedOutputs: boolean;
  /** Version 2 output amounts must be 0. */
  readonly zeroOutputAmounts: boolean;
  /** Least number of outputs in version 2. */
  readonly minOutputs: number;

  // Inputs
  /** Ring members beside the real one that every input needs, unless it is unmixable. */
  readonly minDecoys: number;
  /** minDecoys + 1. */
  readonly minRingSize: number;
  /** Numbers of decoys that the smallest ring may have; absent: any from minDecoys up. */
  readonly exactDecoys?: readonly number[];
  /** All inputs have rings of one size. */
  readonly equalRings: boolean;
  /** Key offsets after the first must not be 0. */
  readonly distinctRingMembers: boolean;
  /** Inputs in strictly descending order of key images. */
  readonly sortedInputs: boolean;
  /** Blocks between the youngest ring member and the block that spends it. */
  readonly minRingMemberAge: number;
  /** Clock that time locks are read from: this node's, or the chain's timestamps. */
  readonly timeLockClock: 'wall' | 'chain';
  /** Seconds that a time lock may lie ahead of that clock. */
  readonly timeLockLeeway: number;

  // Relay and templates (no consensus rules)
  readonly fee: FeeRule;
  /** Version of miner transactions made under these rules; one output from version 2 on. */
  readonly coinbaseVersion: 1 | 2;
  /** Outputs made under these rules carry view tags. */
  readonly coinbaseViewTags: boolean;
}

type RuleChanges = Partial<Omit<ForkRules, 'version' | 'minRingSize'>>;

/** Two transactions that pools had verified under the rules of the fork before. */
const TYPE_4_STRAGGLERS = [
  'c5151944f0583097ba0c88cd0f43e7fabb3881278aa2f73b3b0a007c5d34e910',
  '6f2f117cde6fbcf8d4a6ef8974fcac744726574ac38cf25d3322c996b21edd4c',
];

/** Bytes kept free for the miner transaction when half the smallest zone limits a transaction. */
const HALF_ZONE_LIMIT = 300_000 / 2 - 600;

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
 * What each fork from the second on changed. Sources: src/cryptonote_config.h (HF_VERSION_*),
 * src/cryptonote_core/blockchain.cpp and tx_verification_utils.cpp.
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
 * The rules of a hard fork.
 *
 * @param version major version, 1 to NEWEST_VERSION (as versionAtHeight gives it)
 * @throws RangeError for any other version
 */
export function rulesFor(version: number): ForkRules {
  const rules = TABLE[version - 1];
  if (rules === undefined) throw new RangeError(`no rules for hard fork version ${version}`);
  return rules;
}
