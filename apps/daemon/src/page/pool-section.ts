import type { PoolFacts } from '@monero-node/dashboard';
import type { FeeBand, PoolFeeBands } from '@monero-node/mempool';

/** Lowest rates of the bands, in lowest advised fees. The first band has what is below. */
const MULTIPLES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Returns the lowest rate of each band but the first.
 *
 * @param lowest advised fee, atomic units per byte
 */
export function bandEdges(lowest: number): number[] {
  return MULTIPLES.map((multiple) => multiple * Math.max(1, lowest));
}

/** Returns the facts about the pool for the owner and for the public. */
export function poolSections(
  bands: PoolFeeBands,
  edges: readonly number[],
): { readonly owner: PoolFacts; readonly public: PoolFacts } {
  return {
    owner: poolFacts(bands.all, edges, bands.oldest),
    public: poolFacts(bands.public, edges, bands.oldestPublic),
  };
}

function poolFacts(
  bands: readonly FeeBand[],
  edges: readonly number[],
  oldest: number | undefined,
): PoolFacts {
  return {
    count: bands.reduce((sum, { count }) => sum + count, 0),
    weight: bands.reduce((sum, { weight }) => sum + weight, 0),
    oldest: oldest ?? null,
    bands: bands.map(({ count, weight }, i) => ({ from: edges[i - 1] ?? 0, count, weight })),
  };
}
