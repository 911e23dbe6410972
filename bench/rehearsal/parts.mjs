// The figures of a synchronization by fifths of the chain.
import { present } from '../values.mjs';

/**
 * A height that was seen, and what the node had used until then: seconds of a clock and of processor time, and bytes of memory.
 *
 * @typedef {{ height: number, time: number, cpu: number, mainCpu: number, memory: number }} Sample
 */
/**
 * What a part of the chain took.
 *
 * @typedef {{ from: number, to: number, transactions: number, seconds: number, cpu: number, mainCpu: number }} Part
 */

const PARTS = 5;

/**
 * Returns the figures of each fifth of the transactions. A life of the node counts from the first block that it added on, and what is between
 * two samples counts for the part of the first.
 *
 * @param {readonly (readonly Sample[])[]} lives
 * @param {readonly number[]} transactionsBelow how many are in the blocks below each height
 */
export function partsOf(lives, transactionsBelow) {
  const total = present(transactionsBelow.at(-1));
  /** @param {number} height */
  const below = (height) => transactionsBelow[height] ?? total;
  /** @param {number} height */
  const partAt = (height) => Math.min(PARTS - 1, Math.floor((PARTS * below(height)) / total));
  /** @type {Part[]} */
  const parts = Array.from({ length: PARTS }, () => ({
    ...{ from: Infinity, to: 0, transactions: 0, seconds: 0, cpu: 0, mainCpu: 0 },
  }));
  for (const samples of lives) {
    // The first is what the node had when it was started.
    for (let i = 2; i < samples.length; i++) {
      const [earlier, later] = [present(samples[i - 1]), present(samples[i])];
      const part = present(parts[partAt(earlier.height)]);
      part.from = Math.min(part.from, earlier.height);
      part.to = Math.max(part.to, later.height);
      part.transactions += below(later.height) - below(earlier.height);
      part.seconds += later.time - earlier.time;
      part.cpu += later.cpu - earlier.cpu;
      part.mainCpu += later.mainCpu - earlier.mainCpu;
    }
  }
  return parts;
}
