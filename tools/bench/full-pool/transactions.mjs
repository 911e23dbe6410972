// Makes transactions of the shapes that a flood consists of, thousands at a time.
import {
  encodeTransaction,
  parseTransaction,
  rctSignatureMessage,
} from '../../../packages/codec/dist/index.js';
import { AMOUNT } from './chain.mjs';
import { signAll } from './signer.mjs';
import { addMultiples } from './sums.mjs';

const RING_SIZE = 16;
/** Outputs that serve as decoys and are not spent. */
const DECOYS = 512;
/** Transactions that are signed together. */
const AT_A_TIME = 250;
/** Fee rates, so that the order of fees has something to order. */
const RATES = 16;
/** Atomic units per byte of weight; the lowest is above the minimum of a young chain. */
const LOWEST_RATE = 1_300_000;

/** Of every ten transactions: inputs, outputs, and about how much weight each has. */
const SHAPES = [
  ...Array.from({ length: 4 }, () => ({ inputs: 1, outputs: 2, weight: 1540 })),
  ...Array.from({ length: 6 }, () => ({ inputs: 2, outputs: 2, weight: 2230 })),
];

/** Returns the number of outputs that `count` transactions spend, with those that are decoys. */
export function outputsFor(count) {
  let inputs = 0;
  for (let i = 0; i < count; i++) inputs += SHAPES[i % SHAPES.length].inputs;
  return inputs + DECOYS;
}

/** Yields the blobs of `count` transactions. */
export function* makeTransactions(tools, outputs, count) {
  const { backend } = tools;
  for (const output of outputs.slice(0, DECOYS)) output.hash = backend.hashToPoint(output.key);
  const decoys = outputs.slice(0, DECOYS);
  const proofs = new Map();
  let next = DECOYS;
  for (let at = 0; at < count; at += AT_A_TIME) {
    const drafts = [];
    for (let i = at; i < Math.min(count, at + AT_A_TIME); i++) {
      const shape = SHAPES[i % SHAPES.length];
      const spent = outputs.slice(next, (next += shape.inputs));
      drafts.push(
        draft(tools, { shape, spent, decoys, payment: paymentOf(tools, proofs, shape, i) }),
      );
    }
    yield* finish(tools, drafts);
  }
}

/**
 * Returns outputs, fee and range proof of a transaction. A range proof does not commit to its transaction, so that those of
 * one shape and fee share it: it is verified each time all the same.
 */
function paymentOf({ kit, scalars }, proofs, shape, i) {
  const step = Math.floor(i / SHAPES.length) % RATES;
  const name = `${shape.inputs} ${shape.outputs} ${step}`;
  const known = proofs.get(name);
  if (known !== undefined) return known;
  const rate = LOWEST_RATE + (LOWEST_RATE * step) / RATES;
  const fee = BigInt(Math.round(rate * shape.weight));
  const left = AMOUNT * BigInt(shape.inputs) - fee;
  const each = left / BigInt(shape.outputs);
  const openings = Array.from({ length: shape.outputs }, (_, at) => ({
    amount: at === 0 ? left - each * BigInt(shape.outputs - 1) : each,
    mask: scalars.scalar(),
  }));
  const { commitments, ...proof } = kit.proveBulletproofPlus(openings, scalars);
  const masks = openings.reduce((sum, { mask }) => kit.Fn.add(sum, mask), 0n);
  const made = { fee, masks, commitments, proof };
  proofs.set(name, made);
  return made;
}

/** A transaction without signatures, and what signing it takes. */
function draft({ kit, backend, scalars }, { shape, spent, decoys, payment }) {
  const { Fn, encodeScalar, G } = kit;
  for (const output of spent) output.hash = backend.hashToPoint(output.key);
  const images = addMultiples(
    backend,
    spent.map(({ secret, hash }) => ({ a: encodeScalar(secret), A: hash })),
  );
  const inputs = spent
    .map((output, i) => ({ output, keyImage: images[i], ring: ringOf(output, decoys, scalars) }))
    .sort((a, b) => Buffer.compare(b.keyImage, a.keyImage));
  const masks = inputs.map(() => scalars.scalar());
  masks[0] = Fn.sub(
    payment.masks,
    masks.slice(1).reduce((sum, mask) => Fn.add(sum, mask), 0n),
  );
  const base = G.toBytes();
  // A pseudo-output is the commitment with another mask.
  const pseudoOuts = addMultiples(
    backend,
    masks.map((mask) => ({
      ...{ a: encodeScalar(Fn.sub(mask, 1n)), A: base },
      ...{ b: encodeScalar(1n), B: spent[0].commitment },
    })),
  );
  const keys = addMultiples(
    backend,
    Array.from({ length: shape.outputs + 1 }, () => ({
      a: encodeScalar(scalars.scalar()),
      A: base,
    })),
  );
  return { tx: unsigned(inputs, keys, payment, pseudoOuts), inputs, masks, pseudoOuts };
}

/** Fifteen decoys and the output itself, by index. */
function ringOf(output, decoys, scalars) {
  const start = scalars.bytes()[0] + 256 * (scalars.bytes()[0] & 1);
  const chosen = Array.from(
    { length: RING_SIZE - 1 },
    (_, i) => decoys[(start + 33 * i) % decoys.length],
  );
  return [...chosen, output].sort((a, b) => a.index - b.index);
}

function unsigned(inputs, [transactionKey, ...keys], { fee, commitments, proof }, pseudoOuts) {
  const nothing = new Uint8Array(32);
  const clsag = { s: Array.from({ length: RING_SIZE }, () => nothing), c1: nothing, D: nothing };
  return {
    version: 2,
    unlockTime: 0n,
    inputs: inputs.map(({ keyImage, ring }) => ({
      ...{ kind: 'key', amount: 0n, keyImage },
      keyOffsets: ring.map(({ index }, i) => BigInt(index - (i === 0 ? 0 : ring[i - 1].index))),
    })),
    outputs: keys.map((key, i) => ({
      amount: 0n,
      target: { kind: 'tagged-key', key, viewTag: i },
    })),
    extra: Uint8Array.of(1, ...transactionKey),
    rct: {
      ...{ type: 6, fee, pseudoOuts: [], outPk: [...commitments] },
      ecdhInfo: keys.map((key) => ({ amount: key.slice(0, 8) })),
    },
    prunable: {
      ...{ rangeSigs: [], bulletproofs: [], mlsags: [], pseudoOuts },
      bulletproofsPlus: [{ ...proof, L: [...proof.L], R: [...proof.R] }],
      clsags: inputs.map(() => clsag),
    },
  };
}

function finish(tools, drafts) {
  const { Fn } = tools.kit;
  const jobs = drafts.flatMap(({ tx, inputs, masks, pseudoOuts }) => {
    const message = rctSignatureMessage(parseTransaction(encodeTransaction(tx)));
    return inputs.map(({ output, keyImage, ring }, i) => ({
      ...{ message, ring, keyImage, pseudoOut: pseudoOuts[i] },
      ...{ own: ring.indexOf(output), maskDifference: Fn.sub(1n, masks[i]) },
    }));
  });
  const clsags = signAll(tools, jobs);
  return drafts.map(({ tx, inputs }) => {
    const own = clsags.splice(0, inputs.length);
    return encodeTransaction({ ...tx, prunable: { ...tx.prunable, clsags: own } });
  });
}
