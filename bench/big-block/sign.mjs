// Signs transactions of two inputs and two outputs on two threads. All spend and make the same amounts, so one range proof serves all.
import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
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
 * An output of a coinbase, and the secret that spends it; index: among RingCT outputs; isSpendable: whether it has {@link AMOUNT}.
 *
 * @typedef {{ secret: bigint, key: Uint8Array, index: number, isSpendable: boolean }} Coin
 */

/** Atomic units of every coin. */
export const AMOUNT = 6_000_000_000n;
const FEE = 1_000_000_000n;
const RING_SIZE = 16;
const SAY_EVERY = 2000;
/** The mask of the commitment of a coinbase output. */
const COINBASE_MASK = 1n;

/**
 * Returns blobs of transactions, each of which spends two of the coins.
 *
 * @param {readonly Coin[]} coins
 * @param {(text: string) => void} say
 * @returns {Promise<Uint8Array[]>}
 */
export async function signAll(coins, say) {
  const threads = Math.min(availableParallelism(), 8);
  const pairs = Math.floor(coins.length / 2);
  let signed = 0;
  const parts = Array.from({ length: threads }, (_, i) => {
    const from = Math.floor((pairs * i) / threads);
    const to = Math.floor((pairs * (i + 1)) / threads);
    /** @type {Uint8Array[]} */
    const txs = [];
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { coins, from, to } });
    /** @type {Promise<Uint8Array[]>} */
    const done = new Promise((resolve, reject) => {
      worker.on('message', (/** @type {Uint8Array} */ tx) => {
        txs.push(tx);
        if (++signed % SAY_EVERY === 0) say(`${signed} of ${pairs} transactions are signed`);
      });
      worker.on('error', reject).on('exit', () => resolve(txs));
    });
    return done;
  });
  return (await Promise.all(parts)).flat();
}

/** What all transactions have in common. */
function makeProof() {
  const amount = (2n * AMOUNT - FEE) / 2n;
  const openings = [0, 1].map(() => ({ amount, mask: SYSTEM_SCALARS.scalar() }));
  const { commitments, ...proof } = proveBulletproofPlus(openings, SYSTEM_SCALARS);
  const masks = openings.reduce((sum, { mask }) => Fn.add(sum, mask), 0n);
  return { commitments, proof: { ...proof, L: [...proof.L], R: [...proof.R] }, masks };
}

/**
 * @param {readonly Coin[]} coins
 * @param {Coin} own
 */
function ringOf(coins, own) {
  const members = new Set([own]);
  while (members.size < RING_SIZE)
    members.add(present(coins[Math.floor(Math.random() * coins.length)]));
  return [...members].sort((a, b) => a.index - b.index);
}

/**
 * Returns the blob of a transaction that spends two coins.
 *
 * @param {readonly [Coin, Coin]} pair
 * @param {readonly Coin[]} coins
 * @param {ReturnType<typeof makeProof>} common
 */
function sign(pair, coins, { commitments, proof, masks }) {
  const inputs = pair
    .map((coin) => ({ coin, keyImage: keyImageOf(coin.secret), ring: ringOf(coins, coin) }))
    .sort((a, b) => Buffer.compare(b.keyImage, a.keyImage));
  const first = SYSTEM_SCALARS.scalar();
  const pseudoMasks = [first, Fn.sub(masks, first)];
  const pseudoOuts = pseudoMasks.map((mask) => commit(mask, AMOUNT));
  const nothing = new Uint8Array(32);
  /** @type {Clsag} */
  const blank = { s: Array.from({ length: RING_SIZE }, () => nothing), c1: nothing, D: nothing };
  const prunable = {
    rangeSigs: [],
    bulletproofs: [],
    bulletproofsPlus: [proof],
    mlsags: [],
    clsags: inputs.map(() => blank),
    pseudoOuts,
  };
  /** @type {Transaction} */
  const tx = {
    version: 2,
    unlockTime: 0n,
    inputs: inputs.map(({ keyImage, ring }) => ({
      kind: 'key',
      amount: 0n,
      keyOffsets: ring.map(({ index }, i) => BigInt(index - (ring[i - 1]?.index ?? 0))),
      keyImage,
    })),
    outputs: commitments.map(() => ({
      amount: 0n,
      target: { kind: 'tagged-key', key: commit(SYSTEM_SCALARS.scalar(), 0n), viewTag: 7 },
    })),
    extra: Uint8Array.of(1, ...commit(SYSTEM_SCALARS.scalar(), 0n)),
    rct: {
      type: 6,
      fee: FEE,
      pseudoOuts: [],
      ecdhInfo: commitments.map(() => ({ amount: encodeScalar(7n).subarray(0, 8) })),
      outPk: [...commitments],
    },
    prunable,
  };
  const message = rctSignatureMessage(parseTransaction(encodeTransaction(tx)));
  const commitment = commit(COINBASE_MASK, AMOUNT);
  prunable.clsags = inputs.map(({ coin, ring }, i) => {
    const statement = {
      message,
      ring: ring.map(({ key }) => ({ key, commitment })),
      pseudoOut: present(pseudoOuts[i]),
    };
    const maskDifference = Fn.sub(COINBASE_MASK, present(pseudoMasks[i]));
    const secrets = { index: ring.indexOf(coin), key: coin.secret, maskDifference };
    const { s, c1, D } = signClsag(statement, secrets, SYSTEM_SCALARS);
    return { s: [...s], c1, D };
  });
  return encodeTransaction(tx);
}

if (!isMainThread && workerData?.coins !== undefined) {
  /** @type {{ coins: Coin[], from: number, to: number }} */
  const { coins, from, to } = workerData;
  const common = makeProof();
  for (let i = from; i < to; i++)
    parentPort?.postMessage(
      sign([present(coins[2 * i]), present(coins[2 * i + 1])], coins, common),
    );
}
