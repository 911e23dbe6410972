import { attacks as webSocketFrames } from './web-socket-frames.mjs';
import { attacks as webSocketLink } from './web-socket-link.mjs';
import { attacks as smallMessages } from './small-messages.mjs';
import { attacks as unknownField } from './unknown-field.mjs';
import { attacks as jsonRequests } from './json-requests.mjs';
import { attacks as zmqRequests } from './zmq-requests.mjs';
import { attacks as heavyBlocks } from './heavy-blocks.mjs';
import { attacks as largeBlock } from './large-block.mjs';
import { attacks as webPage } from './web-page.mjs';
import { attacks as silentSockets } from './silent-sockets.mjs';
import { attacks as tlsHellos } from './tls-hellos.mjs';
import { attacks as heldPlaces } from './held-places.mjs';
import { attacks as bytes } from './bytes.mjs';
import { attacks as lies } from './lies.mjs';
import { attacks as broker } from './broker.mjs';
import { attacks as oldSeedBlocks } from './old-seed-blocks.mjs';
import { attacks as repeatedTransaction } from './repeated-transaction.mjs';
import { attacks as rigs } from './rigs.mjs';

/** @import { Attack } from '../attack.d.ts' */

/** @type {readonly Attack[]} */
const ATTACKS_BY_FILE = [
  ...webSocketFrames,
  ...webSocketLink,
  ...smallMessages,
  ...unknownField,
  ...jsonRequests,
  ...zmqRequests,
  ...heavyBlocks,
  ...largeBlock,
  ...webPage,
  ...silentSockets,
  ...tlsHellos,
  ...heldPlaces,
  ...bytes,
  ...lies,
  ...broker,
  ...oldSeedBlocks,
  ...repeatedTransaction,
  ...rigs,
];

/** @param {Attack} attack */
const rowOf = ({ id }) => parseInt(id) || Infinity;

/** Every attack, in the order of the rows of docs/internals/hostile.md. */
export const ATTACKS = ATTACKS_BY_FILE.toSorted(
  (a, b) => rowOf(a) - rowOf(b) || a.id.localeCompare(b.id),
);

/**
 * Returns the attacks of rows such as `3,14,7a`, where 3 stands for 3a to 3d too; all attacks when `rows` is empty.
 *
 * @param {string} rows
 */
export function chooseAttacks(rows) {
  const wanted = rows.split(',').filter((row) => row !== '');
  if (wanted.length === 0) return ATTACKS;
  const chosen = ATTACKS.filter(
    ({ id }) => wanted.includes(id) || wanted.includes(`${parseInt(id)}`),
  );
  if (chosen.length === 0)
    throw new Error(`choose rows from ${ATTACKS.map(({ id }) => id).join()}`);
  return chosen;
}
