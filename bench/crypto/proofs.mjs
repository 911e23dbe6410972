// The recorded transactions that the benchmarks verify.
import { readFileSync } from 'node:fs';
import { present } from '../values.mjs';

/**
 * The file of a recorded transaction: bytes in base64, and ring members as indices of its outputs.
 *
 * @typedef {object} Recording
 * @property {Record<string, string>} outputs
 * @property {RecordedTransaction[]} transactions
 */
/**
 * @typedef {object} RecordedTransaction
 * @property {string} message
 * @property {string} fee
 * @property {string} outputKeys
 * @property {string} commitments
 * @property {{ scalarsAndPoints: string, L: string, R: string }} rangeProof
 * @property {{ keyImage: string, pseudoOut: string, ring: string, s: string, c1: string, D: string }[]} inputs
 */

/** @param {string} base64 of elements of 32 bytes */
function elements(base64) {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.slice(32 * i, 32 * i + 32));
}

/** @param {string} base64 */
const element = (base64) => present(elements(base64)[0]);

/** @param {URL} url */
function read(url) {
  /** @type {Recording} */
  const file = JSON.parse(readFileSync(url, 'utf8'));
  /** @param {string} index */
  const ringMember = (index) => {
    const [key, commitment] = elements(present(file.outputs[index]));
    return { key: present(key), commitment: present(commitment) };
  };
  return file.transactions.map((tx) => {
    const parts = elements(tx.rangeProof.scalarsAndPoints);
    /** @param {number} i */
    const part = (i) => present(parts[i]);
    const commitments = elements(tx.commitments);
    const L = elements(tx.rangeProof.L);
    const R = elements(tx.rangeProof.R);
    return {
      keyImages: tx.inputs.map((input) => element(input.keyImage)),
      outputKeys: elements(tx.outputKeys),
      balance: {
        inputs: tx.inputs.map((input) => element(input.pseudoOut)),
        outputs: commitments,
        fee: BigInt(tx.fee),
      },
      clsags: tx.inputs.map((input) => ({
        message: element(tx.message),
        ring: input.ring.split(/[ ,]+/).map(ringMember),
        pseudoOut: element(input.pseudoOut),
        keyImage: element(input.keyImage),
        s: elements(input.s),
        c1: element(input.c1),
        D: element(input.D),
      })),
      rangeProof: {
        commitments,
        A: part(0),
        A1: part(1),
        B: part(2),
        r1: part(3),
        s1: part(4),
        d1: part(5),
        L,
        R,
      },
    };
  });
}

/** A transaction with two inputs and two outputs. */
export const transaction = present(
  read(new URL('../fixtures/transaction-2-2.json', import.meta.url))[0],
);
