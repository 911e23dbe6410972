// Row 3: small messages, many of them in each read.
import { randomBytes } from 'node:crypto';
import { present } from '../../values.mjs';
import { flood, repeated } from '../flood.mjs';
import { COMMAND, invoke, notify, syncData } from '../peer.mjs';
import { body, string } from '../storage.mjs';

/** @import { Attack, ChainFacts } from '../attack.d.ts' */

const EMPTY = body([]);
const ID_BYTES = 32;
const ATTACKERS = 2;

/**
 * Sends one message many times in each read.
 *
 * @param {number} messages
 * @param {(chain: ChainFacts) => Buffer} messageOf
 */
const many = (messages, messageOf) =>
  flood(ATTACKERS, (chain) => repeated(messages, messageOf(chain)), { messages });

/** @param {ChainFacts} chain */
function chainRequest({ ids }) {
  const wanted = Buffer.from(present(ids[0]), 'hex');
  return notify(COMMAND.requestChain, body([string('block_ids', wanted)]));
}

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '3a',
    kind: 'p2p',
    what: 'chain requests, 690 in a read',
    run: many(690, chainRequest),
  },
  {
    id: '3b',
    kind: 'p2p',
    what: 'pings, 1,000 in a read',
    run: many(1000, () => invoke(COMMAND.ping, EMPTY)),
  },
  {
    id: '3c',
    kind: 'p2p',
    what: 'timed syncs, 300 in a read',
    run: many(300, (chain) => invoke(COMMAND.timedSync, body([syncData(chain)]))),
  },
  {
    id: '3d',
    kind: 'p2p',
    what: 'pool requests that list 130,000 ids',
    run: flood(ATTACKERS, () =>
      notify(COMMAND.txpoolComplement, body([string('hashes', randomBytes(130_000 * ID_BYTES))])),
    ),
  },
];
