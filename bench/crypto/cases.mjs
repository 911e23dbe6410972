import { present } from '../values.mjs';
import { transaction } from './proofs.mjs';

/**
 * @import { CryptoBackend, CryptoCheck, VerificationPool } from '@monero-node/crypto'
 * @import { Baseline } from './monero-tests.mjs'
 */
/**
 * What is measured. A `run` does `units` of work with its subject, which is a backend or a pool of threads; `baseline` is that of
 * one unit.
 *
 * @template Subject
 * @typedef {{ name: string, units: number, run: (subject: Subject) => unknown, baseline: Baseline }} Case
 */

const CLSAG_BATCH = 32;
const BLOCK = 100;
const { clsags, rangeProof, balance, keyImages, outputKeys } = transaction;

/**
 * Returns the items several times, one after another.
 *
 * @template T
 * @param {number} count
 * @param {readonly T[]} items
 */
export const times = (count, items) => Array.from({ length: count }, () => items).flat();
const short = times(100, [new Uint8Array(200).fill(7)]);
const long = new Uint8Array(16_384).fill(7);

/**
 * Throws Error when a verification fails, which must not be measured.
 *
 * @param {...(boolean | boolean[])} answers
 */
export function must(...answers) {
  if (!answers.flat().every(Boolean)) throw new Error('a recorded proof does not verify');
}

/**
 * Returns all checks of `count` transactions, grouped as the chain does.
 *
 * @param {number} count
 * @returns {CryptoCheck[]}
 */
function checks(count) {
  return [
    { kind: 'key-images', keyImages: times(count, keyImages) },
    { kind: 'points', points: times(count, outputKeys) },
    { kind: 'balance', statements: times(count, [balance]) },
    { kind: 'bulletproof-plus', proofs: times(count, [rangeProof]) },
    { kind: 'clsag', proofs: times(count, clsags) },
  ];
}

/**
 * The same on the calling thread.
 *
 * @param {CryptoBackend} backend
 * @param {number} count
 */
function verifyAll(backend, count) {
  must(times(count, keyImages).map((keyImage) => backend.isValidKeyImage(keyImage)));
  must(times(count, outputKeys).map((key) => backend.isPoint(key)));
  must(times(count, [balance]).map((statement) => backend.verifyBalance(statement)));
  must(backend.verifyBulletproofPlus(times(count, [rangeProof])));
  const signatures = times(count, clsags);
  for (let i = 0; i < signatures.length; i += CLSAG_BATCH) {
    must(backend.verifyClsag(signatures.slice(i, i + CLSAG_BATCH)));
  }
}

// Work that the upstream tests measure in one call (tests/performance_tests of monerod):
// test_sig_clsag<16, 2, 2>: two CLSAGs of ring 16, one after the other, and the balance of two
//   pseudo outputs and two outputs, as one multi-exponentiation of four points, without a fee.
// test_bulletproof_plus<true, 2>: one proof of two amounts.
// test_aggregated_bulletproof_plus<true, 2, 1, 1, 0, 64>: one batch of 64 such proofs.
// test_cn_fast_hash<16384>: Keccak of 16 KiB, which is 121 permutations.
// op_scalarmultKey: decoding a point, multiplying it, encoding, as monerod does with a key image.
// op_scalarmultH: the commitment to a fee. test_ge_frombytes_vartime: decoding a point.
// test_generate_key_image: hash to point, multiplying it, encoding.
const CLSAG_2 = 'test_sig_clsag<16, 2, 2>';
const STRAUS_16 = 'test_multiexp<multiexp_straus, 16>';
const RANGE_PROOF = 'test_bulletproof_plus<true, 2>';
const RANGE_PROOF_64 = 'test_aggregated_bulletproof_plus<true, 2, 1, 1, 0, 64>';
const SCALARMULT = 'test_crypto_ops<op_scalarmultKey>';
const SCALARMULT_H = 'test_crypto_ops<op_scalarmultH>';
const DECODE = 'test_ge_frombytes_vartime';
const ENCODE = 'test_ge_tobytes';

/** The checks of a transaction, without its range proof. */
const PARTS = { [CLSAG_2]: 1, [SCALARMULT]: 2, [SCALARMULT_H]: 1, [DECODE]: 2 };
/**
 * @param {string} test
 * @returns {Baseline}
 */
const one = (test) => ({ terms: { [test]: 1 } });
/**
 * @param {Record<string, number>} terms
 * @param {string} note
 * @returns {Baseline}
 */
const parts = (terms, note) => ({ terms, note });
/**
 * @param {Record<string, number>} terms
 * @param {number} factor
 */
const scaled = (terms, factor) =>
  Object.fromEntries(Object.entries(terms).map(([test, count]) => [test, count * factor]));

const oneClsag = parts(
  { [CLSAG_2]: 0.5, [STRAUS_16]: -0.125 },
  'half the test of two, less its balance (a quarter of a multi-exponentiation of 16 points)',
);
const wholeBlock = parts(
  { ...scaled(PARTS, BLOCK), [RANGE_PROOF_64]: BLOCK / 64 },
  'sum of the parts; range proofs as in the batch of 64',
);

/**
 * The cases to measure on one thread.
 *
 * @type {readonly Case<CryptoBackend>[]}
 */
export const cases = [
  {
    name: 'Keccak-256, 200 bytes',
    units: 100,
    run: (backend) => short.forEach((data) => backend.keccak256(data)),
    baseline: parts(
      { 'test_cn_fast_hash<16384>': 2 / 121 },
      'two of the 121 permutations of 16 KiB',
    ),
  },
  {
    name: 'Keccak-256, 16 KiB',
    units: 1,
    run: (backend) => void backend.keccak256(long),
    baseline: one('test_cn_fast_hash<16384>'),
  },
  {
    name: 'hash to point',
    units: 1,
    run: (backend) => void backend.hashToPoint(present(outputKeys[0])),
    baseline: parts(
      { test_generate_key_image: 1, [SCALARMULT]: -1, [DECODE]: 1, [ENCODE]: 1 },
      'a key image less its multiplication, and the encoding',
    ),
  },
  {
    name: 'CLSAG ring 16, 1 input',
    units: 1,
    run: (backend) => must(backend.verifyClsag(clsags.slice(0, 1))),
    baseline: oneClsag,
  },
  {
    name: 'CLSAG ring 16, each of 32',
    units: CLSAG_BATCH,
    run: (backend) => must(backend.verifyClsag(times(CLSAG_BATCH / 2, clsags))),
    baseline: oneClsag,
  },
  {
    name: 'CLSAG ring 16, 2 inputs, balance',
    units: 1,
    run: (backend) => must(backend.verifyClsag(clsags), backend.verifyBalance(balance)),
    baseline: one(CLSAG_2),
  },
  {
    name: 'Bulletproof+ 2 outputs',
    units: 1,
    run: (backend) => must(backend.verifyBulletproofPlus([rangeProof])),
    baseline: one(RANGE_PROOF),
  },
  {
    name: 'Bulletproof+ 2 outputs, each of 64',
    units: 64,
    run: (backend) => must(backend.verifyBulletproofPlus(times(64, [rangeProof]))),
    baseline: { terms: { [RANGE_PROOF_64]: 1 / 64 } },
  },
  {
    name: 'transaction, 2 in, 2 out',
    units: 1,
    run: (backend) => verifyAll(backend, 1),
    baseline: parts({ ...PARTS, [RANGE_PROOF]: 1 }, 'sum of the parts'),
  },
  {
    name: 'block of 100 such transactions',
    units: 1,
    run: (backend) => verifyAll(backend, BLOCK),
    baseline: wholeBlock,
  },
];

/**
 * Runs checks on a pool of threads.
 *
 * @param {VerificationPool} pool
 * @param {readonly CryptoCheck[]} list
 */
async function onPool(pool, list) {
  must((await Promise.all(list.map((check) => pool.check(check)))).flat());
}

/**
 * The same for a pool of threads, where the work is enough for several.
 *
 * @type {readonly Case<VerificationPool>[]}
 */
export const poolCases = [
  {
    name: 'CLSAG ring 16, each of 256',
    units: 256,
    run: (pool) => onPool(pool, [{ kind: 'clsag', proofs: times(128, clsags) }]),
    baseline: oneClsag,
  },
  {
    name: 'Bulletproof+ 2 outputs, each of 128',
    units: 128,
    run: (pool) => onPool(pool, [{ kind: 'bulletproof-plus', proofs: times(128, [rangeProof]) }]),
    baseline: { terms: { [RANGE_PROOF_64]: 1 / 64 } },
  },
  {
    name: 'block of 100 such transactions',
    units: 1,
    run: (pool) => onPool(pool, checks(BLOCK)),
    baseline: wholeBlock,
  },
];
