import { openNode, type MoneroNode } from '@monero-node/node';
import { addressNetwork } from '@monero-node/rpc';
import { AutoMiner, BlockMaker } from './block-maker.ts';
import { DevClock } from './dev-clock.ts';
import { DevNode } from './dev-node.ts';
import { nodeOptions, type DevNodeOptions } from './options.ts';
import { Snapshots } from './snapshots.ts';
import { waitUntil } from './wait-until.ts';

const CONNECT_MS = 20_000;

/** Starts a node with options that were checked, as `startNode` says. This file loads everything that a node consists of. */
export async function openDevNode(options: DevNodeOptions): Promise<DevNode> {
  const { clock = new DevClock(), connectMilliseconds = CONNECT_MS } = options;
  const { peers = [], rpcHost = '127.0.0.1', autoMine = false } = options;
  const node = await openNode(nodeOptions(options, clock));
  await node.start();
  try {
    await waitUntil(() => connections(node) >= peers.length, 'the peers', connectMilliseconds);
  } catch (error) {
    await node.stop();
    throw error;
  }
  return new DevNode(node, {
    clock,
    rpcHost,
    addresses: addressNetwork(node.network),
    maker: new BlockMaker(node, clock),
    snapshots: new Snapshots(node, clock),
    ...(autoMine && { startAutoMiner: (mineIfDue) => new AutoMiner(node, mineIfDue) }),
  });
}

/** Returns the number of outgoing connections over which the nodes have introduced themselves. */
function connections({ p2p }: MoneroNode): number {
  return p2p
    .connections()
    .filter(({ incoming, state }) => !incoming && state !== 'before_handshake').length;
}
