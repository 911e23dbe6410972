/** The newest block of a chain. */
export interface ChainTip {
  /** Number of blocks. */
  readonly height: number;
  /** Id of the newest block, 64 hex digits. */
  readonly id: string;
  /** Cumulative difficulty of the newest block, less than 2^128. */
  readonly work: bigint;
}

/** Up to this many blocks, the difficulty of neighbors differs so little that work can be counted in blocks. */
const NEAR = 10;

/**
 * Returns the tip with the most work that a quorum vouches for: more than half of the voters have that much work, or more. So no
 * single voter among three or more decides. Undefined without voters.
 */
export function vouchedTip(votes: readonly ChainTip[]): ChainTip | undefined {
  const byWork = [...votes].sort((a, b) => (a.work < b.work ? 1 : a.work > b.work ? -1 : 0));
  return byWork[Math.floor(votes.length / 2)];
}

/**
 * Returns the number of blocks that a chain lacks of another tip; 0 when it has as much work. On a lighter branch, which may have as
 * many blocks, the missing work counts, in blocks like the own newest one.
 *
 * @param difficulty of the own newest block
 */
export function blocksBehind(own: ChainTip, difficulty: bigint, tip: ChainTip): number {
  if (tip.work <= own.work || tip.id === own.id) return 0;
  const byHeight = Math.max(0, tip.height - own.height);
  if (byHeight > NEAR) return byHeight;
  return Math.max(byHeight, Number((tip.work - own.work) / (difficulty > 0n ? difficulty : 1n)));
}
