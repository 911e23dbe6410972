// Makes a chain of the shape that mainnet has by now, quickly: its context is valid, its keys and signatures are arbitrary bytes. A node adds
// it when it trusts a list of its block hashes.
import { createCipheriv, createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import {
  encodeBlock,
  encodeBootstrapHeader,
  encodeBootstrapPackage,
  encodeTransaction,
  parseBlock,
  parseTransaction,
} from '@monero-node/codec';
import {
  addGeneratedCoins,
  blockReward,
  feeOf,
  NETWORKS,
  rulesFor,
  transactionWeight,
  versionAtHeight,
} from '@monero-node/consensus';

/** @import { ParsedBlock, ParsedTransaction, Transaction } from '@monero-node/codec' */
/**
 * The newest block of the chain, and its totals.
 *
 * @typedef {{ height: number, block: ParsedBlock, generatedCoins: bigint, outputs: number }} Top
 */
/**
 * What is made. transactions: for each block on average.
 *
 * @typedef {{ blocks: number, transactions: number, seed: string }} ChainShape
 */

const NETWORK = NETWORKS.regtest;
const COINBASE_UNLOCK = 60;
const RING_SIZE = 16;
/** Outputs of blocks at least as far below can be spent, coinbases too. */
const SPENDABLE_AGE = COINBASE_UNLOCK + 1;
const FEE = 30_720_000n;
const FIRST_TIMESTAMP = 1_700_000_000;
const BLOCK_SECONDS = 120;
/** Transactions have so many inputs and outputs in turn: two inputs and two outputs on average. */
const SHAPES = [
  { inputs: 1, outputs: 2 },
  { inputs: 2, outputs: 2 },
  { inputs: 1, outputs: 2 },
  { inputs: 4, outputs: 2 },
];
/** Rounds of the inner product argument of Bulletproofs+ for two outputs: 2 times 64 = 2^7. */
const ROUNDS = 7;
/** Nothing is taken off the reward of a block that is not heavier. */
const FULL_REWARD_WEIGHT = 300_000;
const WRITE_BYTES = 8 * 1024 * 1024;

/** Bytes that look random and are the same for the same seed. */
class ArbitraryBytes {
  #cipher;
  #pool = Buffer.alloc(0);

  /** @param {string} seed */
  constructor(seed) {
    const key = createHash('sha256').update(seed).digest();
    this.#cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  }

  /** @param {number} size at most 64 KiB */
  take(size) {
    if (this.#pool.length < size) this.#pool = this.#cipher.update(Buffer.alloc(65_536));
    const bytes = this.#pool.subarray(0, size);
    this.#pool = this.#pool.subarray(size);
    return bytes;
  }

  /** @param {number} count */
  keys(count) {
    return Array.from({ length: count }, () => this.take(32));
  }

  /** @param {number} below Returns an integer from 0 on. */
  integer(below) {
    return Math.floor((this.take(4).readUInt32LE() / 2 ** 32) * below);
  }
}

/**
 * Returns the offsets of a ring of different outputs: ascending, each relative to the one before.
 *
 * @param {ArbitraryBytes} bytes
 * @param {number} outputs that can be spent
 */
function ringOf(bytes, outputs) {
  /** @type {Set<number>} */
  const members = new Set();
  while (members.size < RING_SIZE) members.add(bytes.integer(outputs));
  const sorted = [...members].sort((a, b) => a - b);
  return sorted.map((member, i) => BigInt(member - (sorted[i - 1] ?? 0)));
}

/**
 * Returns a transaction of type 6 that spends outputs of a ring each.
 *
 * @param {ArbitraryBytes} bytes
 * @param {{ inputs: number, outputs: number }} shape
 * @param {number} spendable number of outputs that can be spent
 */
function makeTransaction(bytes, { inputs, outputs }, spendable) {
  const keyImages = bytes.keys(inputs).sort((a, b) => Buffer.compare(b, a));
  const [A, A1, B, r1, s1, d1] = /** @type {[Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]} */ (
    bytes.keys(6)
  );
  /** @type {Transaction} */
  const transaction = {
    version: 2,
    unlockTime: 0n,
    inputs: keyImages.map((keyImage) => ({
      kind: 'key',
      amount: 0n,
      keyOffsets: ringOf(bytes, spendable),
      keyImage,
    })),
    outputs: bytes.keys(outputs).map((key) => ({
      amount: 0n,
      target: { kind: 'tagged-key', key, viewTag: 7 },
    })),
    extra: Buffer.concat([Buffer.of(1), bytes.take(32), Buffer.of(2, 9, 1), bytes.take(8)]),
    rct: {
      type: 6,
      fee: FEE,
      pseudoOuts: [],
      ecdhInfo: Array.from({ length: outputs }, () => ({ amount: bytes.take(8) })),
      outPk: bytes.keys(outputs),
    },
    prunable: {
      rangeSigs: [],
      bulletproofs: [],
      bulletproofsPlus: [{ A, A1, B, r1, s1, d1, L: bytes.keys(ROUNDS), R: bytes.keys(ROUNDS) }],
      mlsags: [],
      clsags: keyImages.map(() => ({
        s: bytes.keys(RING_SIZE),
        c1: bytes.take(32),
        D: bytes.take(32),
      })),
      pseudoOuts: bytes.keys(inputs),
    },
  };
  return parseTransaction(encodeTransaction(transaction));
}

/**
 * Returns the next block with its transactions, and what the file says of it. Throws Error for so many transactions that the reward would
 * have to be smaller.
 *
 * @param {Top} top
 * @param {readonly ParsedTransaction[]} txs
 * @param {ArbitraryBytes} bytes
 */
function makeBlock(top, txs, bytes) {
  const height = top.height + 1;
  const version = versionAtHeight(NETWORK, height);
  const rules = rulesFor(version);
  const fees = txs.reduce((sum, tx) => sum + feeOf(tx), 0n);
  const key = bytes.take(32);
  const extra = Buffer.concat([Buffer.of(1), bytes.take(32)]);
  const { generatedCoins } = top;
  const medianWeight = FULL_REWARD_WEIGHT;
  const reward = blockReward({ rules, medianWeight, blockWeight: 0, generatedCoins });
  const blob = encodeBlock({
    majorVersion: version,
    minorVersion: version,
    timestamp: FIRST_TIMESTAMP + BLOCK_SECONDS * height,
    prevId: top.block.id,
    nonce: 0,
    minerTx: {
      version: 2,
      unlockTime: BigInt(height + COINBASE_UNLOCK),
      inputs: [{ kind: 'gen', height }],
      outputs: [
        { amount: reward + fees, target: { kind: 'tagged-key', key, viewTag: bytes.integer(256) } },
      ],
      extra,
      rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
    },
    txHashes: txs.map(({ id }) => id),
  });
  const block = parseBlock(blob);
  const weight = txs.reduce(
    (sum, tx) => sum + transactionWeight(tx),
    transactionWeight(block.minerTx),
  );
  if (weight > FULL_REWARD_WEIGHT)
    throw new Error(`${txs.length} transactions are too many for one block`);
  const outputs = txs.reduce((sum, { parts }) => sum + parts.outputCount, top.outputs + 1);
  /** @type {Top} */
  const next = {
    height,
    block,
    outputs,
    generatedCoins: addGeneratedCoins(generatedCoins, reward),
  };
  return { next, weight };
}

/**
 * Makes the blocks above genesis, in order, each with its transactions.
 *
 * @param {ChainShape} shape
 */
function* blocksOf({ blocks, transactions, seed }) {
  const bytes = new ArbitraryBytes(seed);
  const genesis = parseBlock(NETWORK.genesisBlob);
  const [output] = genesis.block.minerTx.outputs;
  /** @type {Top} */
  let top = { height: 0, block: genesis, generatedCoins: output?.amount ?? 0n, outputs: 0 };
  yield {
    top,
    txs: /** @type {ParsedTransaction[]} */ ([]),
    weight: transactionWeight(genesis.minerTx),
  };
  /** Outputs of the chain up to each height. */
  const outputs = [0];
  let due = 0;
  let made = 0;
  while (top.height + 1 < blocks) {
    const spendable = outputs[top.height + 1 - SPENDABLE_AGE] ?? 0;
    due += spendable < 2 * RING_SIZE ? 0 : transactions;
    /** @type {ParsedTransaction[]} */
    const txs = [];
    for (; made + 1 <= due; made++) {
      const shape = SHAPES[made % SHAPES.length] ?? { inputs: 1, outputs: 2 };
      txs.push(makeTransaction(bytes, shape, spendable));
    }
    const { next, weight } = makeBlock(top, txs, bytes);
    top = next;
    outputs.push(top.outputs);
    yield { top, txs, weight };
  }
}

/**
 * Writes the chain as a bootstrap file. Returns how many transactions there are up to each height: those of the blocks below it.
 *
 * @param {string} path
 * @param {ChainShape} shape
 */
export async function writeChain(path, shape) {
  const below = [0];
  const file = await open(path, 'w');
  /** @type {Uint8Array[]} */
  let chunks = [encodeBootstrapHeader(0, shape.blocks - 1)];
  let size = 0;
  try {
    for (const { top, txs, weight } of blocksOf(shape)) {
      const content = encodeBootstrapPackage({
        block: top.block.blob,
        txs: txs.map(({ blob }) => blob),
        weight,
        cumulativeDifficulty: BigInt(top.height + 1),
        generatedCoins: top.generatedCoins,
      });
      const length = Buffer.alloc(4);
      length.writeUInt32LE(content.length);
      chunks.push(length, content);
      size += content.length;
      below.push((below.at(-1) ?? 0) + txs.length);
      if (size < WRITE_BYTES) continue;
      await file.appendFile(Buffer.concat(chunks));
      [chunks, size] = [[], 0];
    }
    await file.appendFile(Buffer.concat(chunks));
  } finally {
    await file.close();
  }
  return below;
}
