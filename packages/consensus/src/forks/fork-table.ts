import { COINBASE_RESERVED_SIZE } from '../primitives/constants.ts';

/** Kinds of output targets that may appear on the chain. */
export type OutputTargetKind = 'key' | 'tagged-key' | 'carrot';

/** Versions of RandomX; `randomx-v2` is planned for the next hard fork. Their key is the id of a seed block. */
export type RandomxAlgorithm = 'randomx' | 'randomx-v2';

/** What hashes the blocks. */
export type PowAlgorithm =
  'cryptonight-0' | 'cryptonight-1' | 'cryptonight-2' | 'cryptonight-r' | RandomxAlgorithm;

/** An exact fraction: weights are scaled with floor division. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * How a fork computes the relay fee; `baseFee` is in atomic units per kB.
 *
 * - `per-kb`: a fixed rate.
 * - `per-kb-scaled`: falls as the median weight grows, and with the reward.
 * - `per-byte`: the same, per byte.
 * - `per-byte-squared`: falls with the square of the median weight; see SquaredFee.
 *
 * Source: Blockchain::get_dynamic_base_fee and check_fee in src/cryptonote_core/blockchain.cpp.
 */
export type FeeRule =
  | { readonly kind: 'per-kb'; readonly baseFee: bigint }
  | { readonly kind: 'per-kb-scaled'; readonly baseFee: bigint }
  | { readonly kind: 'per-byte' }
  | ({ readonly kind: 'per-byte-squared' } & SquaredFee);

/** What differs between the forks whose fee falls with the square of the median weight. */
export interface SquaredFee {
  /** Weight of the transaction that rates are defined for (DYNAMIC_FEE_REFERENCE_TRANSACTION_WEIGHT). */
  readonly referenceWeight: bigint;
  /** The lowest fee that is relayed is a twentieth below the rate. */
  readonly isDiscounted: boolean;
  /** The scaling that fee estimates follow: four levels with that of 2021, five with that of 2026. */
  readonly scaling: '2021' | '2026';
}

/**
 * Everything in which one hard fork differs from another. Code reads this table and never compares
 * version numbers. docs/reference/fork-rules.md lists every rule under every fork, with its source.
 */
export interface ForkRules {
  /** Major version of the blocks under these rules. */
  readonly version: number;

  // Blocks
  /** Seconds per block that the difficulty aims at. */
  readonly difficultyTarget: number;
  /** What hashes the blocks, unless the network's forks name another: see powRuleOf. */
  readonly powAlgorithm: PowAlgorithm;
  /** Weight up to which blocks are never penalized: the lower bound of every median. */
  readonly minBlockWeight: number;
  /** Lower bound of the long-term median, and the zone that fees are scaled by. */
  readonly longTermZone: number;
  /** The effective median is at most this many long-term medians. */
  readonly surgeFactor: number;
  /** Blocks commit to the curve tree of the chain. */
  readonly curveTree: boolean;
  /**
   * Bounds of a block's long-term weight around the long-term median: `growth` is added to the median,
   * and the median times `floor` is the lower bound. Absent under forks without a long-term median,
   * whose long-term weight is the weight itself.
   */
  readonly longTermWeight?: { readonly growth: Fraction; readonly floor?: Fraction };
  /** Lower bound of the short-term median before the surge cap applies: see computeWeightState. */
  readonly effectiveMedianFloor: 'none' | 'min-zone' | 'long-term-median';
  /** The median that sets the reward penalty and the hard weight limit. */
  readonly rewardMedian: 'short-term' | 'effective';
  /** The base reward is the remaining supply shifted right by this number of bits. */
  readonly emissionShift: bigint;
  /** Lower bound of the base reward, atomic units. */
  readonly tailReward: bigint;
  /** The recorded count of RingCT outputs continues from the block below instead of restarting at 0. */
  readonly cumulativeRctOutputs: boolean;

  // Miner transaction
  /** Lowest transaction version. */
  readonly minerTxMinVersion: 1 | 2;
  /** A version 2 miner transaction must have RingCT type 0. Otherwise the type is ignored. */
  readonly minerTxNullRct: boolean;
  /** Amounts must be one decimal digit followed by zeros. */
  readonly minerTxDecomposed: boolean;
  /** It must take exactly reward plus fees. Otherwise it may take less, and the rest stays in supply. */
  readonly minerTxExactReward: boolean;
  /** Kinds of output targets; those of `outputTargets` if absent. */
  readonly minerTxOutputTargets?: readonly OutputTargetKind[];
  /** Most outputs; absent for no limit. */
  readonly minerTxMaxOutputs?: number;
  /** tx_extra has fewer bytes than this and 32 for each output; absent for no limit. */
  readonly minerTxExtraBound?: number;

  // Transactions
  /** Highest transaction version. */
  readonly maxTxVersion: 1 | 2;
  /** Lowest transaction version of transactions without an unmixable input. */
  readonly minTxVersion: 1 | 2;
  /** Lowest transaction version of all transactions, also of those with unmixable inputs. */
  readonly minTxVersionUnmixable: 1 | 2;
  /** unlock_time must be 0. */
  readonly zeroUnlockTime: boolean;
  /** Most bytes of tx_extra; absent for no limit. */
  readonly maxExtra?: number;
  /** Weight limit of one transaction; absent for none. */
  readonly maxTxWeight?: number;
  /** RingCT types that transactions may have. */
  readonly rctTypes: readonly number[];
  /** Ids of mainnet transactions that are exempt from `rctTypes`, 64 hex digits each. */
  readonly rctTypeExemptions: readonly string[];
  readonly outputTargets: readonly OutputTargetKind[];
  /** Transactions whose output keys must ascend as bytes, the miner's too: none, those with Carrot outputs, or all. */
  readonly sortedOutputs: 'none' | 'carrot' | 'all';
  /** Version 1 output amounts must be one decimal digit followed by zeros. */
  readonly decomposedOutputs: boolean;
  /** Version 2 output amounts must be 0. */
  readonly zeroOutputAmounts: boolean;
  /** Lowest number of outputs in version 2. */
  readonly minOutputs: number;

  // Inputs
  /** Whether inputs may be without ring members, as those of RingCT type 7 are. `allowed`: all inputs of a transaction, or none. */
  readonly emptyRings: 'forbidden' | 'allowed' | 'required';
  /** Ring members besides the real one that every input needs, unless it is unmixable. */
  readonly minDecoys: number;
  /** minDecoys + 1. */
  readonly minRingSize: number;
  /** Numbers of decoys that the smallest ring may have; absent: any number from minDecoys up. */
  readonly exactDecoys?: readonly number[];
  /** The rings of all inputs have the same size. */
  readonly equalRings: boolean;
  /** Key offsets after the first must not be 0. */
  readonly distinctRingMembers: boolean;
  /** Inputs are in strictly descending order of key images. */
  readonly sortedInputs: boolean;
  /** Number of blocks from the youngest ring member's block to the block that spends it, at least. */
  readonly minRingMemberAge: number;
  /** The clock of time locks: this node's, or the chain's timestamps. */
  readonly timeLockClock: 'wall' | 'chain';
  /** Seconds that a time lock may be ahead of that clock. */
  readonly timeLockLeeway: number;

  // Relay and templates (not consensus rules)
  readonly fee: FeeRule;
  /** Version of miner transactions made under these rules; they have one output from version 2 on. */
  readonly coinbaseVersion: 1 | 2;
  /** Kind of the outputs of miner transactions made under these rules. */
  readonly coinbaseTarget: OutputTargetKind;
}

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

/**
 * Weight of a transaction with 128 inputs, 16 outputs and 1,060 bytes of tx_extra.
 * Source: FCMP_PLUS_PLUS_MAX_TX_WEIGHT in src/cryptonote_config.h.
 */
const MAX_FCMP_TX_WEIGHT = 178_063;

const VERSION_1: Omit<ForkRules, 'version' | 'minRingSize'> = {
  difficultyTarget: 60,
  powAlgorithm: 'cryptonight-0',
  minBlockWeight: 20_000,
  longTermZone: 300_000,
  surgeFactor: 50,
  curveTree: false,
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
  minTxVersionUnmixable: 1,
  zeroUnlockTime: false,
  rctTypes: [],
  rctTypeExemptions: [],
  outputTargets: ['key'],
  sortedOutputs: 'none',
  decomposedOutputs: false,
  zeroOutputAmounts: false,
  minOutputs: 0,
  emptyRings: 'forbidden',
  minDecoys: 0,
  equalRings: false,
  distinctRingMembers: false,
  sortedInputs: false,
  minRingMemberAge: 0,
  timeLockClock: 'wall',
  timeLockLeeway: 60,
  fee: { kind: 'per-kb', baseFee: 2_000_000_000n },
  coinbaseVersion: 1,
  coinbaseTarget: 'key',
};

/**
 * The changes of each fork from the second on. Source: HF_VERSION_* in src/cryptonote_config.h, and
 * their uses in src/cryptonote_core/blockchain.cpp and tx_verification_utils.cpp. Forks 17 and 18 are those of the branch
 * fcmp++-stage-cold-hot, 2ff9690d; no public network has heights for them.
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
    fee: {
      kind: 'per-byte-squared',
      referenceWeight: 3000n,
      isDiscounted: true,
      scaling: '2021',
    },
    coinbaseTarget: 'tagged-key',
  },
  /* 16 */ {
    rctTypes: [6],
    rctTypeExemptions: [],
    outputTargets: ['tagged-key'],
    exactDecoys: [15],
  },
  /* 17 */ {
    minBlockWeight: 625_000,
    longTermZone: 625_000,
    surgeFactor: 8,
    curveTree: true,
    longTermWeight: {
      growth: { numerator: 1, denominator: 5 },
      floor: { numerator: 5, denominator: 6 },
    },
    minerTxOutputTargets: ['carrot'],
    minerTxMaxOutputs: 10_000,
    minerTxExtraBound: 1060,
    minTxVersionUnmixable: 2,
    zeroUnlockTime: true,
    maxExtra: 1060,
    maxTxWeight: MAX_FCMP_TX_WEIGHT,
    rctTypes: [6, 7],
    outputTargets: ['tagged-key', 'carrot'],
    sortedOutputs: 'carrot',
    emptyRings: 'allowed',
    fee: {
      kind: 'per-byte-squared',
      referenceWeight: 12_500n,
      isDiscounted: false,
      scaling: '2026',
    },
    coinbaseTarget: 'carrot',
  },
  /* 18 */ {
    rctTypes: [7],
    outputTargets: ['carrot'],
    sortedOutputs: 'all',
    emptyRings: 'required',
  },
];

const TABLE: readonly ForkRules[] = buildTable();

/** The newest fork that this node knows. Public networks may not have reached it, nor have a height for it. */
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
