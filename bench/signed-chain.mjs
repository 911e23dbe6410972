// Makes a bootstrap file of a regtest chain whose blocks are full of transactions with valid signatures, for measuring full verification.
//
//   npm run bench -- signed-chain --output FILE [--blocks 1250] [--transactions 30]
//
// `heavy-chain` records a shorter one with real wallets, at a fifth of a second for each transaction. Here neither wallets nor nodes run, and a
// transaction takes some 17 ms of a processor. Import the chain with
//
//   chain-tool import --regtest --fixed-difficulty 1 --data-dir DIR --input-file FILE --verify
//   monero-blockchain-import --regtest --fixed-difficulty 1 --data-dir DIR --input-file FILE --dangerous-unverified-import 0
//
// Each transaction has two inputs with rings of 16, chosen as wallets choose them, and two outputs. The first 79 blocks have none. The chain is
// long because a RandomX dataset pays off only from some length on. FILE has the blocks so far at any time: a chain that takes too long can
// be stopped.
import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { encodeBootstrapHeader } from '@monero-node/codec';
import { ChainMaker, MOST_TRANSACTIONS, mostBlocks } from './signed-chain/maker.mjs';

const SAY_EVERY = 50;

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      output: { type: 'string' },
      blocks: { type: 'string', default: '1250' },
      transactions: { type: 'string', default: '30' },
    },
  });
  const { output } = values;
  const [blocks, transactions] = [Number(values.blocks), Number(values.transactions)];
  const areCounts = [blocks, transactions].every((n) => Number.isSafeInteger(n) && n > 0);
  if (output === undefined || !areCounts)
    throw new Error('usage: signed-chain --output FILE [--blocks N] [--transactions N]');
  if (transactions > MOST_TRANSACTIONS)
    throw new Error(`--transactions: at most ${MOST_TRANSACTIONS}`);
  if (blocks > mostBlocks(transactions))
    throw new Error(`--blocks: at most ${mostBlocks(transactions)} with so many transactions`);
  return { output, blocks, transactions };
}

/** @param {string[]} args */
export async function signedChain(args) {
  const { output, blocks, transactions } = readOptions(args);
  const begun = performance.now();
  const maker = new ChainMaker();
  const file = openSync(output, 'w');
  try {
    appendFileSync(file, encodeBootstrapHeader(0, 0));
    while (maker.height <= blocks) {
      const { height } = maker;
      appendPackage(file, maker.next(transactions));
      writeSync(file, encodeBootstrapHeader(0, height), 0, undefined, 0);
      if (height === 0 || (height % SAY_EVERY > 0 && height < blocks)) continue;
      const seconds = Math.round((performance.now() - begun) / 1000);
      console.log(
        `[${String(seconds).padStart(4)} s] ${maker.transactions} transactions up to block ${height}`,
      );
    }
  } finally {
    closeSync(file);
  }
}

/**
 * @param {number} file
 * @param {Uint8Array} content
 */
function appendPackage(file, content) {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  appendFileSync(file, Buffer.concat([size, content]));
}
