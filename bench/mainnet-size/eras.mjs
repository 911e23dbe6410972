import { present } from '../values.mjs';

/**
 * The shape of blocks. clear: whether amounts are.
 *
 * @typedef {object} Era
 * @property {string} name
 * @property {number} blocks
 * @property {number} txs
 * @property {number} inputs
 * @property {number} outputs
 * @property {number} coinbaseOutputs
 * @property {number} base
 * @property {number} prunable
 * @property {boolean} [clear]
 */

/**
 * The shape of mainnet by era, rounded from public statistics of November 2026: 3.7 million blocks, 60 million
 * transactions, 160 million outputs, 128 million key images.
 *
 * blocks, txs: totals of the era. inputs, outputs, coinbaseOutputs: averages of a transaction.
 * base, prunable: bytes of the two parts of a transaction.
 *
 * @type {readonly Era[]}
 */
export const ERAS = [
  {
    name: 'clear amounts',
    blocks: 1_220_516,
    txs: 1_700_000,
    inputs: 6,
    outputs: 8,
    coinbaseOutputs: 7,
    base: 1500,
    prunable: 0,
    clear: true,
  },
  {
    name: 'RingCT',
    blocks: 465_039,
    txs: 3_000_000,
    inputs: 2,
    outputs: 2.2,
    coinbaseOutputs: 1,
    base: 650,
    prunable: 12_500,
  },
  {
    name: 'Bulletproofs',
    blocks: 525_165,
    txs: 6_000_000,
    inputs: 2,
    outputs: 2.3,
    coinbaseOutputs: 1,
    base: 600,
    prunable: 1500,
  },
  {
    name: 'CLSAG',
    blocks: 478_168,
    txs: 15_000_000,
    inputs: 2,
    outputs: 2.3,
    coinbaseOutputs: 1,
    base: 450,
    prunable: 1400,
  },
  {
    name: 'Bulletproofs+',
    blocks: 1_020_000,
    txs: 35_000_000,
    inputs: 2,
    outputs: 2.3,
    coinbaseOutputs: 1,
    base: 500,
    prunable: 1650,
  },
];

/** Blocks as they are today, for measurements that must be comparable at every size of the chain. */
export const TODAY = { ...present(ERAS.at(-1)), name: 'today' };
