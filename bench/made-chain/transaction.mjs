// Signed transactions of two outputs, made without a wallet: nobody's keys are in them.
import { encodeTransaction, parseTransaction, rctSignatureMessage } from '@monero-node/codec';
import {
  commit,
  encodeScalar,
  Fn,
  keyImageOf,
  proveBulletproofPlus,
  signClsag,
  SYSTEM_SCALARS,
} from '@monero-node/crypto/insecure-signer';
import { present } from '../values.mjs';

/** @import { Clsag, Transaction } from '@monero-node/codec' */
/**
 * An output that rings can have. index: among RingCT outputs; key and commitment: 32 bytes each.
 *
 * @typedef {{ index: number, key: Uint8Array, commitment: Uint8Array }} Member
 */
/**
 * What is spent: one member of its ring, the secret of its key, and what its commitment hides; amount: atomic units.
 *
 * @typedef {{ own: Member, ring: readonly Member[], secret: bigint, mask: bigint, amount: bigint }} Spent
 */
/**
 * Two outputs of the same amount, and the proof that it is in range.
 *
 * @typedef {ReturnType<typeof proveOutputs>} ProvedOutputs
 */

export const RING_SIZE = 16;
const OUTPUTS = 2;
const NOTHING = new Uint8Array(32);

/**
 * Returns two outputs of an amount. Transactions whose outputs have the same amount may share them, which saves most of the work of
 * making them: a verifier has the same work with each.
 *
 * @param {bigint} amount of each, atomic units
 */
export function proveOutputs(amount) {
  const masks = Array.from({ length: OUTPUTS }, () => SYSTEM_SCALARS.scalar());
  const openings = masks.map((mask) => ({ amount, mask }));
  const { commitments, ...proof } = proveBulletproofPlus(openings, SYSTEM_SCALARS);
  return { masks, commitments, proof: { ...proof, L: [...proof.L], R: [...proof.R] } };
}

/**
 * Returns the masks of pseudo outputs, which sum up to those of the outputs.
 *
 * @param {number} count
 * @param {readonly bigint[]} outputMasks
 */
function pseudoMasksOf(count, outputMasks) {
  const free = Array.from({ length: count - 1 }, () => SYSTEM_SCALARS.scalar());
  const sum = outputMasks.reduce((a, b) => Fn.add(a, b), 0n);
  return [...free, free.reduce((rest, mask) => Fn.sub(rest, mask), sum)];
}

/**
 * Returns the transaction with empty signatures.
 *
 * @param {readonly { ring: readonly Member[], keyImage: Uint8Array, pseudoOut: Uint8Array }[]} inputs
 * @param {{ keys: readonly Uint8Array[], outputs: ProvedOutputs, fee: bigint }} made
 * @returns {Transaction & { prunable: NonNullable<Transaction['prunable']> }}
 */
function blankTransaction(inputs, { keys, outputs: { commitments, proof }, fee }) {
  return {
    version: 2,
    unlockTime: 0n,
    inputs: inputs.map(({ keyImage, ring }) => ({
      kind: 'key',
      amount: 0n,
      keyOffsets: ring.map(({ index }, i) => BigInt(index - (ring[i - 1]?.index ?? 0))),
      keyImage,
    })),
    outputs: keys.map((key) => ({ amount: 0n, target: { kind: 'tagged-key', key, viewTag: 7 } })),
    extra: Uint8Array.of(1, ...commit(SYSTEM_SCALARS.scalar(), 0n)),
    rct: {
      type: 6,
      fee,
      pseudoOuts: [],
      ecdhInfo: commitments.map(() => ({ amount: encodeScalar(7n).subarray(0, 8) })),
      outPk: [...commitments],
    },
    prunable: {
      rangeSigs: [],
      bulletproofs: [],
      bulletproofsPlus: [proof],
      mlsags: [],
      clsags: inputs.map(({ ring }) => ({ s: ring.map(() => NOTHING), c1: NOTHING, D: NOTHING })),
      pseudoOuts: inputs.map(({ pseudoOut }) => pseudoOut),
    },
  };
}

/**
 * Returns the blob of a transaction. What it spends must be worth the outputs and the fee.
 *
 * @param {readonly Spent[]} spent
 * @param {{ keys: readonly Uint8Array[], outputs: ProvedOutputs, fee: bigint }} made keys: of the two outputs, 32 bytes each; fee: atomic
 *   units
 */
export function signedTransaction(spent, made) {
  const masks = pseudoMasksOf(spent.length, made.outputs.masks);
  const inputs = spent
    .map((each, i) => {
      const pseudoMask = present(masks[i]);
      const keyImage = keyImageOf(each.secret);
      return { ...each, pseudoMask, keyImage, pseudoOut: commit(pseudoMask, each.amount) };
    })
    .sort((a, b) => Buffer.compare(b.keyImage, a.keyImage));
  const tx = blankTransaction(inputs, made);
  const message = rctSignatureMessage(parseTransaction(encodeTransaction(tx)));
  tx.prunable.clsags = inputs.map(({ own, ring, secret, mask, pseudoMask, pseudoOut }) => {
    const secrets = {
      index: ring.indexOf(own),
      key: secret,
      maskDifference: Fn.sub(mask, pseudoMask),
    };
    const { s, c1, D } = signClsag({ message, ring, pseudoOut }, secrets, SYSTEM_SCALARS);
    /** @type {Clsag} */
    const signature = { s: [...s], c1, D };
    return signature;
  });
  return encodeTransaction(tx);
}
