import { checkOptions } from '@monero-node/base/options';
import { openNode, type MoneroNode } from '@monero-node/node';
import { DevClock } from './dev-clock.ts';
import { DevNode } from './dev-node.ts';
import { NODE_OPTIONS, nodeOptions, type DevNodeOptions } from './options.ts';
import { waitUntil } from './wait-until.ts';

const CONNECT_MS = 20_000;

/**
 * Starts a node of a private chain in this process. It is ready when the promise resolves: the RPC answers, blocks are
 * mined at once, and the peers are connected.
 *
 * Throws StorageError, RangeError for a wrong difficulty, OptionError for an unknown option, an error of the system when a port is
 * taken, and Error when a peer does not answer; nothing is left running then.
 */
export async function startNode(options: DevNodeOptions = {}): Promise<DevNode> {
  checkOptions('startNode', options, NODE_OPTIONS);
  const { clock = new DevClock(), connectMilliseconds = CONNECT_MS } = options;
  const { peers = [], rpcHost = '127.0.0.1' } = options;
  const node = await openNode(nodeOptions(options, clock));
  await node.start();
  try {
    await waitUntil(() => connections(node) >= peers.length, 'the peers', connectMilliseconds);
  } catch (error) {
    await node.stop();
    throw error;
  }
  return new DevNode(node, { clock, rpcHost, autoMine: options.autoMine ?? false });
}

/** Returns the number of outgoing connections over which the nodes have introduced themselves. */
function connections({ p2p }: MoneroNode): number {
  return p2p
    .connections()
    .filter(({ incoming, state }) => !incoming && state !== 'before_handshake').length;
}
