// Makes a long bootstrap file out of a short one, for imports that verify no signatures.
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import {
  encodeBlock,
  encodeBootstrapHeader,
  encodeBootstrapPackage,
  encodeTransaction,
  parseBlock,
  parseTransaction,
} from '@monero-node/codec';
import { addGeneratedCoins, blockReward, rulesFor } from '@monero-node/consensus';
import { BootstrapReader } from '../../apps/daemon/dist/chain-tool/bootstrap-reader.js';
import { present } from '../values.mjs';

/**
 * @import { BootstrapPackage, ParsedBlock, ParsedBootstrapPackage, ParsedTransaction, Transaction } from '@monero-node/codec'
 */
/**
 * A full block that is repeated; generatedBefore: the coins below it in the file.
 *
 * @typedef {ParsedBootstrapPackage & { generatedBefore: bigint }} Source
 */

const UNLOCK = 60;
/** Blocks with fewer transactions are not repeated, unless the caller says otherwise. */
const LEAST_TXS = 10;

/** @param {string} path */
async function readAll(path) {
  const reader = await BootstrapReader.open(path);
  /** @type {ParsedBootstrapPackage[]} */
  const packages = [];
  try {
    for (let next = await reader.next(); next; next = await reader.next()) packages.push(next);
  } finally {
    await reader.close();
  }
  return packages;
}

/**
 * Returns the blob of a transaction that spends the same rings with other key images.
 *
 * @param {ParsedTransaction} transaction
 */
function withNewKeyImages({ tx }) {
  const inputs = tx.inputs.map((input) => ({ ...input, keyImage: randomBytes(32) }));
  return encodeTransaction({ ...tx, inputs });
}

/**
 * Returns a package on top of `below` with the transactions of `source`. `totals`: of the chain up to `below`.
 *
 * @param {Source} source
 * @param {{ height: number, below: ParsedBlock, generatedCoins: bigint, cumulativeDifficulty: bigint }} totals
 * @returns {BootstrapPackage}
 */
function repeat(source, { height, below, generatedCoins, cumulativeDifficulty }) {
  const txs = source.txs.map(withNewKeyImages);
  const old = source.block.block;
  const rules = rulesFor(old.majorVersion);
  /** @param {bigint} generated */
  const reward = (generated) =>
    blockReward({
      rules,
      medianWeight: 0,
      blockWeight: source.weight,
      generatedCoins: generated,
    });
  const paid = old.minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n);
  const fees = paid - reward(source.generatedBefore);
  const base = reward(generatedCoins);
  const output = present(old.minerTx.outputs[0]);
  /** @type {Transaction} */
  const minerTx = {
    ...old.minerTx,
    unlockTime: BigInt(height + UNLOCK),
    inputs: [{ kind: 'gen', height }],
    outputs: [{ ...output, amount: base + fees }],
  };
  const block = encodeBlock({
    ...old,
    prevId: below.id,
    timestamp: below.block.timestamp + 1,
    minerTx,
    txHashes: txs.map((blob) => parseTransaction(blob).id),
  });
  const grown = encodeTransaction(minerTx).length - source.block.minerTx.blob.length;
  return {
    block,
    txs,
    weight: source.weight + grown,
    cumulativeDifficulty: cumulativeDifficulty + 1n,
    generatedCoins: addGeneratedCoins(generatedCoins, base),
  };
}

/**
 * Writes a bootstrap file of `count` blocks: those of `from`, whose difficulty is 1, then its full ones again and again with other key
 * images. Only the signatures are wrong. `leastTxs`: full blocks have as many transactions. Returns the numbers of blocks and transactions.
 *
 * @param {string} from path of a bootstrap file
 * @param {string} to path of the one that is written
 * @param {number} count
 */
export async function repeatBlocks(from, to, count, { leastTxs = LEAST_TXS } = {}) {
  const packages = await readAll(from);
  const sources = packages.flatMap((each, i) =>
    each.txs.length < leastTxs
      ? []
      : [{ ...each, generatedBefore: present(packages[i - 1]).generatedCoins }],
  );
  const file = await open(to, 'w');
  let transactions = 0;
  /** @param {BootstrapPackage} content */
  const write = async (content) => {
    const bytes = encodeBootstrapPackage(content);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(bytes.length);
    await file.appendFile(Buffer.concat([size, bytes]));
    transactions += content.txs.length;
  };
  try {
    await file.appendFile(encodeBootstrapHeader(0, count - 1));
    for (const { block, txs, ...rest } of packages)
      await write({ ...rest, block: block.blob, txs: txs.map(({ blob }) => blob) });
    let { generatedCoins, cumulativeDifficulty, block: below } = present(packages.at(-1));
    for (let height = packages.length; height < count; height++) {
      const source = present(sources[height % sources.length]);
      const next = repeat(source, { height, below, generatedCoins, cumulativeDifficulty });
      await write(next);
      ({ generatedCoins, cumulativeDifficulty } = next);
      below = parseBlock(next.block);
    }
  } finally {
    await file.close();
  }
  return { blocks: count, transactions };
}
