/** Kinds of output targets that may appear on the chain. */
export type OutputTargetKind = 'key' | 'tagged-key';

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
 * - `per-byte-squared`: falls with the square of the median weight.
 *
 * Source: Blockchain::get_dynamic_base_fee and check_fee in src/cryptonote_core/blockchain.cpp.
 */
export type FeeRule =
  | { readonly kind: 'per-kb'; readonly baseFee: bigint }
  | { readonly kind: 'per-kb-scaled'; readonly baseFee: bigint }
  | { readonly kind: 'per-byte' }
  | { readonly kind: 'per-byte-squared' };

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
  readonly powAlgorithm:
    'cryptonight-0' | 'cryptonight-1' | 'cryptonight-2' | 'cryptonight-r' | 'randomx';
  /** Weight up to which blocks are never penalized: the lower bound of every median. */
  readonly minBlockWeight: number;
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

  // Transactions
  /** Highest transaction version. */
  readonly maxTxVersion: 1 | 2;
  /** Lowest transaction version of transactions without an unmixable input. */
  readonly minTxVersion: 1 | 2;
  /** Weight limit of one transaction; absent for none. */
  readonly maxTxWeight?: number;
  /** RingCT types that transactions may have. */
  readonly rctTypes: readonly number[];
  /** Ids of mainnet transactions that are exempt from `rctTypes`, 64 hex digits each. */
  readonly rctTypeExemptions: readonly string[];
  readonly outputTargets: readonly OutputTargetKind[];
  /** Version 1 output amounts must be one decimal digit followed by zeros. */
  readonly decomposedOutputs: boolean;
  /** Version 2 output amounts must be 0. */
  readonly zeroOutputAmounts: boolean;
  /** Lowest number of outputs in version 2. */
  readonly minOutputs: number;

  // Inputs
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
  /** Outputs made under these rules carry view tags. */
  readonly coinbaseViewTags: boolean;
}
