import { Yielder } from '@monero-node/base';
import type { PoolTransaction } from '../store/pool-entry.ts';

/** The transactions of a range of fee rates. */
export interface FeeBand {
  count: number;
  /** Sum of their weights. */
  weight: number;
}

/** The pool by fee rate, cheapest band first. */
export interface PoolFeeBands {
  readonly all: readonly FeeBand[];
  /** Only transactions that are public. */
  readonly public: readonly FeeBand[];
  /** When the oldest was received, Unix seconds; undefined without transactions. */
  readonly oldest: number | undefined;
  /** The same for public transactions. */
  readonly oldestPublic: number | undefined;
}

type CountedTransaction = Pick<PoolTransaction, 'broadcast' | 'fee' | 'receiveTime' | 'weight'>;

/** Transactions between two looks at the clock. */
const STEP = 256;

/**
 * Counts transactions by fee rate. The list may change meanwhile; the event loop gets its turns in between.
 *
 * @param edges lowest rate of each band but the first, ascending; atomic units per byte of weight
 */
export async function feeBands(
  transactions: Iterable<CountedTransaction>,
  edges: readonly number[],
  yielder = new Yielder(),
): Promise<PoolFeeBands> {
  const all = emptyBands(edges);
  const known = emptyBands(edges);
  let oldest = Infinity;
  let oldestPublic = Infinity;
  let count = 0;
  for (const { broadcast, fee, receiveTime, weight } of transactions) {
    const band = bandOf(Number(fee) / Math.max(1, weight), edges);
    addTo(all[band], weight);
    oldest = Math.min(oldest, receiveTime);
    if (broadcast) {
      addTo(known[band], weight);
      oldestPublic = Math.min(oldestPublic, receiveTime);
    }
    if (++count % STEP === 0) await yielder.yieldIfDue();
  }
  return { all, public: known, oldest: finite(oldest), oldestPublic: finite(oldestPublic) };
}

const emptyBands = (edges: readonly number[]): FeeBand[] =>
  Array.from({ length: edges.length + 1 }, () => ({ count: 0, weight: 0 }));

/** Returns the position of the band: the number of edges that are not above the rate. */
function bandOf(rate: number, edges: readonly number[]): number {
  const above = edges.findIndex((edge) => rate < edge);
  return above === -1 ? edges.length : above;
}

function addTo(band: FeeBand | undefined, weight: number): void {
  if (band === undefined) return;
  band.count++;
  band.weight += weight;
}

const finite = (time: number): number | undefined => (time === Infinity ? undefined : time);
