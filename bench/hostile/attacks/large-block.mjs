// Row 10: a new block of 90 MB.
import { randomBytes } from 'node:crypto';
import { flood } from '../flood.mjs';
import { COMMAND, notify } from '../peer.mjs';
import { body, object, string, strings, u64 } from '../storage.mjs';

/** @import { Attack, ChainFacts } from '../attack.d.ts' */

const TRANSACTIONS = 900;

/**
 * Returns a block on the top of the chain with that many ids of transactions. Its header is well formed.
 *
 * @param {ChainFacts} chain
 */
function block({ topBlock, topHash }) {
  const top = Buffer.from(topBlock, 'hex');
  // The top block ends with its number of transactions, which is zero.
  const header = Buffer.from(top.subarray(0, -1));
  Buffer.from(topHash, 'hex').copy(header, startOfPrevious(top));
  const number = Buffer.from([0x80 | (TRANSACTIONS & 0x7f), TRANSACTIONS >> 7]);
  return Buffer.concat([header, number, randomBytes(TRANSACTIONS * 32)]);
}

/**
 * Returns where the id of the block before starts: after two version numbers and a timestamp, which are varints.
 *
 * @param {Buffer} bytes
 */
function startOfPrevious(bytes) {
  let at = 0;
  for (let numbers = 0; numbers < 3; at++) if (bytes.readUInt8(at) < 0x80) numbers++;
  return at;
}

/**
 * Returns a large transaction that differs from the others in its last bytes.
 *
 * @param {ChainFacts} chain
 */
function transaction({ largest }) {
  const bytes = Buffer.from(largest.hex, 'hex');
  randomBytes(4).copy(bytes, Math.max(0, bytes.length - 8));
  return bytes;
}

/** @param {ChainFacts} chain */
function message(chain) {
  const txs = Array.from({ length: TRANSACTIONS }, () => transaction(chain));
  const entry = object('b', [string('block', block(chain)), strings('txs', txs)]);
  return notify(
    COMMAND.newBlock,
    body([entry, u64('current_blockchain_height', chain.height + 1)]),
  );
}

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '10',
    kind: 'p2p',
    what: 'a new block of 90 MB',
    run: flood(1, message),
  },
];
