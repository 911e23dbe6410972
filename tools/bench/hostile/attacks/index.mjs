import { attacks as webSocketFrames } from './web-socket-frames.mjs';
import { attacks as smallMessages } from './small-messages.mjs';
import { attacks as unknownField } from './unknown-field.mjs';
import { attacks as jsonRequests } from './json-requests.mjs';
import { attacks as zmqRequests } from './zmq-requests.mjs';
import { attacks as heavyBlocks } from './heavy-blocks.mjs';
import { attacks as largeBlock } from './large-block.mjs';
import { attacks as webPage } from './web-page.mjs';
import { attacks as silentSockets } from './silent-sockets.mjs';
import { attacks as bytes } from './bytes.mjs';
import { attacks as lies } from './lies.mjs';

const ATTACKS_BY_FILE = [
  ...webSocketFrames,
  ...smallMessages,
  ...unknownField,
  ...jsonRequests,
  ...zmqRequests,
  ...heavyBlocks,
  ...largeBlock,
  ...webPage,
  ...silentSockets,
  ...bytes,
  ...lies,
];

const rowOf = ({ id }) => parseInt(id) || Infinity;

/**
 * Every attack. `id` is a row of docs/hostile.md, `kind` the interface that it uses (p2p, rpc, zmq or ws), and
 * `run(target, counts)` attacks until the process ends; target: ports and chain.
 */
export const ATTACKS = ATTACKS_BY_FILE.toSorted(
  (a, b) => rowOf(a) - rowOf(b) || a.id.localeCompare(b.id),
);
