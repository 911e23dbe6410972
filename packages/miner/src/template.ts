/** A block to be mined: what the chain's template maker hands to the miner. */
export interface MiningTemplate {
  /** Height the block will have. */
  readonly height: number;
  /** Difficulty its proof of work must meet. */
  readonly difficulty: bigint;
}
