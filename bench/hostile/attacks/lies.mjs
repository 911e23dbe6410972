// Behaviors of docs/reference/hostile-peers.md, "Synchronization" and "Blocks and transactions", that cost something.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../values.mjs';
import { count, crowd } from '../crowd.mjs';
import { flood } from '../flood.mjs';
import { COMMAND, Peer, notify } from '../peer.mjs';
import { body, object, string, strings, u64 } from '../storage.mjs';

/**
 * @import { Claim } from '../peer.mjs'
 * @import { Attack, ChainFacts, Run } from '../attack.d.ts'
 */

const ID_BYTES = 32;
const ANSWER_MS = 500;
/** Position in a block, after two versions and a timestamp. */
const INSIDE_PREVIOUS_ID = 12;

/**
 * An entry of a chain that starts with our genesis block and goes on with blocks that do not exist.
 *
 * @param {ChainFacts} chain
 * @param {number} length
 */
function inventedChain({ ids }, length) {
  const invented = Buffer.concat([
    Buffer.from(present(ids[0]), 'hex'),
    randomBytes((length - 1) * ID_BYTES),
  ]);
  const fields = [
    u64('cumulative_difficulty', 1e9),
    string('m_block_ids', invented),
    u64('start_height', 0),
    u64('total_height', length),
  ];
  return notify(COMMAND.responseChain, body(fields));
}

/**
 * The top block again, after a block that does not exist.
 *
 * @param {ChainFacts} chain
 */
function orphan({ topBlock, height }) {
  const bytes = Buffer.from(topBlock, 'hex');
  randomBytes(8).copy(bytes, INSIDE_PREVIOUS_ID);
  const entry = object('b', [string('block', bytes)]);
  return notify(COMMAND.newFluffyBlock, body([entry, u64('current_blockchain_height', height)]));
}

/** @param {ChainFacts} chain */
function alteredTransactions({ largest }) {
  const bytes = Buffer.from(largest.hex, 'hex');
  randomBytes(8).copy(bytes, Math.max(0, bytes.length - 8));
  return notify(COMMAND.newTransactions, body([strings('txs', [bytes])]));
}

/** @type {(attackers: number, bytesOf: (chain: ChainFacts) => Buffer, claimOf?: (chain: ChainFacts) => Claim | undefined) => Run} */
const tell =
  (attackers, bytesOf, claimOf = () => undefined) =>
  ({ ports, chain }, counts) =>
    crowd(attackers, counts, async (address) => {
      const peer = await Peer.open(ports.p2p, address, chain, claimOf(chain));
      while (!peer.isClosed) {
        await peer.send(bytesOf(chain));
        count(counts, 'messages');
        await Promise.race([peer.closed, sleep(ANSWER_MS)]);
      }
    });

/** @param {ChainFacts} chain */
const higher = ({ height }) => ({
  height: height + 24_000,
  topId: randomBytes(32).toString('hex'),
});

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: 'chains',
    kind: 'p2p',
    what: 'invented chains of 24,000 ids (8 peers)',
    run: tell(8, (chain) => inventedChain(chain, 24_000), higher),
  },
  {
    id: 'blocks',
    kind: 'p2p',
    what: 'new blocks that belong to no chain (8 peers)',
    run: tell(8, orphan),
  },
  {
    id: 'transactions',
    kind: 'p2p',
    what: 'altered transactions of 99 kB (8 peers)',
    run: tell(8, alteredTransactions),
  },
  {
    id: 'ids',
    kind: 'p2p',
    what: 'chain requests with 16,000 unknown ids (8 peers)',
    run: flood(8, () =>
      notify(COMMAND.requestChain, body([string('block_ids', randomBytes(16_000 * ID_BYTES))])),
    ),
  },
];
