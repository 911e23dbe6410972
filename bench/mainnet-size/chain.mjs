import { NumberedBytes } from './numbered-bytes.mjs';

/**
 * @import { LooseBlock, NewOutput } from '@monero-node/storage'
 * @import { Era } from './eras.mjs'
 */
/**
 * A height of the chain, with its totals up to there.
 *
 * @typedef {Pick<SyntheticChain, 'height' | 'totals'>} Place
 */
/**
 * What the next transaction has.
 *
 * @typedef {{ txs: () => number, inputs: () => number, outputs: () => number }} Counts
 */

/** Clear amounts were split into digits: 3 times 10^k, for example. Few outputs have another amount. */
const DECADES = 8;
const SMALLEST_DECADE = 6;
const ODD_AMOUNTS = 20;
/** Share of the prunable bytes that a pruned node holds. */
const PRUNED_SHARE = 1 / 8;

/**
 * Returns a function whose results are integers with the given average.
 *
 * @param {number} average
 */
function averaging(average) {
  let calls = 0;
  return () => Math.floor((calls + 1) * average) - Math.floor(calls++ * average);
}

/** Makes blocks of the shape of an era, whose hashes and keys are numbered. The store checks no signatures. */
export class SyntheticChain {
  height = 0;
  /** Totals so far. rctOutputs: those of the list of hidden amounts. */
  totals = { txs: 0, outputs: 0, rctOutputs: 0, keyImages: 0, bytes: 0 };
  #kinds = {
    block: new NumberedBytes('block'),
    tx: new NumberedBytes('tx'),
    key: new NumberedBytes('key'),
    commitment: new NumberedBytes('commitment'),
    image: new NumberedBytes('image'),
  };
  #filler = Buffer.alloc(20_000, 0xa5);
  #prunableShare;

  /** @param {{ pruned: boolean }} options pruned: holds an eighth of the prunable bytes */
  constructor({ pruned }) {
    this.#prunableShare = pruned ? PRUNED_SHARE : 1;
  }

  /**
   * Returns the key image of a number below `totals.keyImages`.
   *
   * @param {number} number
   */
  keyImage(number) {
    return this.#kinds.image.at(number);
  }

  /**
   * Returns a function that makes the next block of an era.
   *
   * @param {Era} era
   */
  maker(era) {
    const counts = {
      txs: averaging(era.txs / era.blocks),
      inputs: averaging(era.inputs),
      outputs: averaging(era.outputs),
    };
    return () => this.#block(era, counts);
  }

  /**
   * Forgets blocks that were popped.
   *
   * @param {Place} place
   */
  backTo({ height, totals }) {
    this.height = height;
    this.totals = { ...totals };
  }

  /**
   * @param {Era} era
   * @param {Counts} counts
   * @returns {LooseBlock}
   */
  #block(era, counts) {
    const height = this.height++;
    const txs = [
      this.#tx({ inputs: 0, outputs: era.coinbaseOutputs, base: 120, prunable: 0, era }),
    ];
    for (let count = counts.txs(); count > 0; count--) {
      const prunable = Math.round(era.prunable * this.#prunableShare);
      const { base } = era;
      txs.push(
        this.#tx({ inputs: counts.inputs(), outputs: counts.outputs(), base, prunable, era }),
      );
    }
    const { totals } = this;
    return {
      meta: {
        height,
        id: this.#kinds.block.at(height),
        timestamp: 1_400_000_000 + 120 * height,
        weight: 100_000,
        longTermWeight: 100_000,
        cumulativeDifficulty: BigInt(height + 1) * 300_000_000_000n,
        generatedCoins: BigInt(height + 1) * 600_000_000_000n,
        cumulativeTxCount: totals.txs - height - 1,
        cumulativeRctOutputs: totals.rctOutputs,
        majorVersion: 16,
        minorVersion: 16,
      },
      blob: this.#filler.subarray(0, 80 + 32 * txs.length),
      txs: txs.map(({ tx }) => tx),
      outputs: txs.map(({ outputs }) => outputs),
      keyImages: txs.flatMap(({ keyImages }) => keyImages),
    };
  }

  /** @param {{ inputs: number, outputs: number, base: number, prunable: number, era: Era }} shape */
  #tx({ inputs, outputs, base, prunable, era }) {
    const { totals } = this;
    const id = this.#kinds.tx.at(totals.txs++);
    totals.bytes += base + prunable;
    const v1 = era.clear === true;
    return {
      tx: {
        id,
        pruned: this.#filler.subarray(0, base),
        prunable: this.#filler.subarray(0, prunable),
        prunableHash: id,
      },
      outputs: Array.from({ length: outputs }, () => this.#output(v1)),
      keyImages: Array.from({ length: inputs }, () => this.keyImage(totals.keyImages++)),
    };
  }

  /**
   * @param {boolean} v1 whether the amount is clear
   * @returns {NewOutput}
   */
  #output(v1) {
    const number = this.totals.outputs++;
    const key = this.#kinds.key.at(number);
    if (v1) return { amount: clearAmount(key, number), key, unlockTime: 0n };
    this.totals.rctOutputs += 1;
    return { amount: 0n, key, commitment: this.#kinds.commitment.at(number), unlockTime: 0n };
  }
}

/**
 * @param {Buffer} key
 * @param {number} number of the output
 */
function clearAmount(key, number) {
  if (number % ODD_AMOUNTS === 0) return 1n + BigInt(key.readUInt32LE(4));
  const digit = BigInt(1 + (key.readUInt8(0) % 9));
  return digit * 10n ** BigInt(SMALLEST_DECADE + (key.readUInt8(1) % DECADES));
}
