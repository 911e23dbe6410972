// Signs transactions of two inputs and two outputs on two threads. All spend and make the same amounts, so one range proof serves all.
import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { commit, SYSTEM_SCALARS } from '@monero-node/crypto/insecure-signer';
import { COINBASE_MASK } from '../made-chain/block.mjs';
import { proveOutputs, RING_SIZE, signedTransaction } from '../made-chain/transaction.mjs';
import { present } from '../values.mjs';

/** @import { Member } from '../made-chain/transaction.mjs' */
/**
 * An output of a coinbase, and the secret that spends it; index: among RingCT outputs; isSpendable: whether it has {@link AMOUNT}.
 *
 * @typedef {{ secret: bigint, key: Uint8Array, index: number, isSpendable: boolean }} Coin
 */

/** Atomic units of every coin. */
export const AMOUNT = 6_000_000_000n;
const FEE = 1_000_000_000n;
const SAY_EVERY = 2000;

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

/**
 * @param {readonly Member[]} members
 * @param {Member} own
 */
function ringOf(members, own) {
  const ring = new Set([own]);
  while (ring.size < RING_SIZE)
    ring.add(present(members[Math.floor(Math.random() * members.length)]));
  return [...ring].sort((a, b) => a.index - b.index);
}

/**
 * Signs transactions, which share their range proof.
 *
 * @param {readonly Coin[]} coins
 * @param {(tx: Uint8Array) => void} take is given the blob of each
 * @param {{ from: number, to: number }} pairs of coins to spend, in a transaction each
 */
function signPairs(coins, take, { from, to }) {
  const outputs = proveOutputs((2n * AMOUNT - FEE) / 2n);
  const commitment = commit(COINBASE_MASK, AMOUNT);
  const members = coins.map(({ index, key }) => ({ index, key, commitment }));
  for (let i = from; i < to; i++) {
    const spent = [2 * i, 2 * i + 1].map((at) => {
      const own = present(members[at]);
      const { secret } = present(coins[at]);
      return { own, ring: ringOf(members, own), secret, mask: COINBASE_MASK, amount: AMOUNT };
    });
    const keys = outputs.masks.map(() => commit(SYSTEM_SCALARS.scalar(), 0n));
    take(signedTransaction(spent, { keys, outputs, fee: FEE }));
  }
}

if (!isMainThread && workerData?.coins !== undefined) {
  /** @type {{ coins: Coin[], from: number, to: number }} */
  const { coins, ...pairs } = workerData;
  signPairs(coins, (tx) => parentPort?.postMessage(tx), pairs);
}
