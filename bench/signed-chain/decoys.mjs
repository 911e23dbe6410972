// Which outputs wallets hide theirs among: recent ones far more often than old ones.
import { RING_SIZE } from '../made-chain/transaction.mjs';
import { present } from '../values.mjs';

/** @import { Member } from '../made-chain/transaction.mjs' */
/**
 * An output of the chain; unlockHeight: of the first block that may have it in a ring.
 *
 * @typedef {Member & { unlockHeight: number }} Output
 */

// Figures of gamma_picker in src/wallet/wallet2.cpp; the distribution was fitted to the ages of spent outputs.
const SHAPE = 19.28;
const SCALE = 1 / 1.61;
const BLOCK_SECONDS = 120;
export const SPENDABLE_AGE = 10;
const UNLOCK_SECONDS = SPENDABLE_AGE * BLOCK_SECONDS;
const RECENT_SECONDS = 15 * BLOCK_SECONDS;

/** Returns a number of the normal distribution, by the method of Box and Muller. */
function normal() {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

/**
 * Returns a number of the gamma distribution, by the method of Marsaglia and Tsang.
 *
 * @param {number} shape at least 1
 * @param {number} scale
 */
function gamma(shape, scale) {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - Math.random()) < (x * x) / 2 + d - d * v + d * Math.log(v)) {
      return d * v * scale;
    }
  }
}

/** Returns how old an output is that is spent: seconds since it could be. */
function spendAge() {
  const seconds = Math.exp(gamma(SHAPE, SCALE));
  return seconds > UNLOCK_SECONDS ? seconds - UNLOCK_SECONDS : Math.random() * RECENT_SECONDS;
}

/** The RingCT outputs of a chain, in its order. */
export class Decoys {
  /** @type {Output[]} */
  #outputs = [];
  /** Of each block: how many outputs there are up to and including it. */
  #ends = [0];

  /**
   * Adds the outputs of the next block. Returns them.
   *
   * @param {readonly Omit<Output, 'index'>[]} outputs
   */
  addBlock(outputs) {
    const first = this.#outputs.length;
    const added = outputs.map(({ key, commitment, unlockHeight }, i) => {
      return { key, commitment, unlockHeight, index: first + i };
    });
    this.#outputs.push(...added);
    this.#ends.push(this.#outputs.length);
    return added;
  }

  /**
   * Returns a ring for the next block: an output and others as wallets choose them, ascending. Ages before the first block are drawn anew.
   *
   * @param {Member} own
   */
  ringOf(own) {
    const height = this.#ends.length;
    const members = new Map([[own.index, own]]);
    while (members.size < RING_SIZE) {
      const picked = this.#pick();
      if (picked !== undefined && picked.unlockHeight <= height) {
        if (!members.has(picked.index)) members.set(picked.index, picked);
      }
    }
    return [...members.values()].sort((a, b) => a.index - b.index);
  }

  /** Returns an output by the age of its block, if the chain is that old. */
  #pick() {
    const blocks = this.#ends.length;
    const usable = present(this.#ends[Math.max(0, blocks - SPENDABLE_AGE)]);
    const secondsPerOutput = (blocks * BLOCK_SECONDS) / this.#outputs.length;
    const index = usable - 1 - Math.floor(spendAge() / secondsPerOutput);
    if (index < 0) return undefined;
    const [first, end] = this.#blockOf(index);
    return this.#outputs[first + Math.floor(Math.random() * (end - first))];
  }

  /**
   * Returns where the block with an output begins and ends among all outputs.
   *
   * @param {number} index
   * @returns {[number, number]}
   */
  #blockOf(index) {
    let [low, high] = [0, this.#ends.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (present(this.#ends[middle]) <= index) low = middle;
      else high = middle;
    }
    return [present(this.#ends[low]), present(this.#ends[high])];
  }
}
