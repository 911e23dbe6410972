/** A rig that mines for the node. Shares are those since the start of the node. */
export interface RigRow {
  readonly name: string;
  readonly isConnected: boolean;
  /** Hashes per second, from the shares of ten minutes. */
  readonly hashRate: number;
  /** Unix seconds of the last share; null before the first. */
  readonly lastShareAt: number | null;
  readonly accepted: number;
  /** Shares for a block below the tip. */
  readonly stale: number;
  /** Shares with a wrong hash, too many, or sent twice. */
  readonly refused: number;
  readonly blocks: number;
}

/** A block that the node has found. */
export interface FoundRow {
  readonly height: number;
  /** 64 hex digits. */
  readonly id: string;
  /** Who found it. */
  readonly finder: string;
  /** With the fees, atomic units. */
  readonly reward: number;
  /** Hashes that it took over those that it takes on average; null for a block from elsewhere. */
  readonly effort: number | null;
  /** Unix seconds. */
  readonly foundAt: number;
  readonly fate: 'pending' | 'confirmed' | 'unlocked' | 'orphaned';
}

/** The rigs, and the blocks that the node has found. */
export interface LedgerFacts {
  /** Those connected first, then those that hash most; not all of them if there are many. */
  readonly rigs: readonly RigRow[];
  /** Rigs that are connected. */
  readonly connected: number;
  /** Hashes per second of the miner and all rigs. */
  readonly hashRate: number;
  /** Seconds to a block at that rate, on average; null without hashes. */
  readonly secondsToBlock: number | null;
  /** Hashes since the last block, over those that one takes on average. */
  readonly effort: number;
  /** Hashes that blocks take on average, over those that the newest found took: above 1 with luck; null without such blocks. */
  readonly luck: number | null;
  readonly total: number;
  readonly orphaned: number;
  /** Ids of those among the blocks that the page lists, 64 hex digits each. Orphaned ones are not. */
  readonly own: readonly string[];
  /** The newest, the last found first. */
  readonly found: readonly FoundRow[];
}
