import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { mine, type RunningNode } from '../harness/monerod.ts';
import { HaProxy } from '../harness/haproxy.ts';
import { FleetNode, type FleetPorts } from './fleet-node.ts';
import { FreezingLink } from './freezing-link.ts';

/** Three nodes behind HAProxy. The third one has its peers over links that can be frozen. */
export interface Fleet {
  readonly nodes: readonly [FleetNode, FleetNode, FleetNode];
  readonly links: readonly FreezingLink[];
  readonly haproxy: HaProxy;
  /** Mines on the node with the highest chain; returns the new height. Throws Error when no node answers. */
  mine(blocks: number, address: string): Promise<number>;
  close(): Promise<void>;
}

/** Returns free ports for a node. */
export async function portsOfNode(): Promise<FleetPorts> {
  const [p2p = 0, rpc = 0, wallets = 0] = await freePorts(3);
  return { p2p, rpc, wallets };
}

/** Returns the node with the highest chain, so that a node that has just started does not mine on an old block. */
async function highest(nodes: readonly FleetNode[]): Promise<RunningNode> {
  const running = nodes.filter(({ isRunning }) => isRunning).map((node) => node.running);
  const heights = await Promise.all(
    running.map((node) =>
      node.tip().then(
        ({ height }) => height,
        () => 0,
      ),
    ),
  );
  const node = running[heights.indexOf(Math.max(...heights))];
  if (node === undefined) throw new Error('no node runs');
  return node;
}

/** Starts a fleet and waits until HAProxy uses all of it. */
export async function startFleet(): Promise<Fleet> {
  const ports = [await portsOfNode(), await portsOfNode(), await portsOfNode()] as const;
  const [first, second, third] = ports;
  const [toFirst = 0, toSecond = 0] = await freePorts(2);
  const links = [
    await FreezingLink.to(first.p2p, toFirst),
    await FreezingLink.to(second.p2p, toSecond),
  ];
  const nodeOf = (number: number, own: FleetPorts, peers: readonly number[]): FleetNode => {
    const at = (port: number): string => `${LOOPBACK}:${port}`;
    const others = ports.filter((each) => each !== own).map(({ wallets }) => at(wallets));
    return new FleetNode({
      ...{ name: `node-${number}`, ports: own, peers: peers.map(at), others },
      // All nodes share an address here, so that every peer is one of the fleet.
      extra: ['--ready-min-peers', '0'],
    });
  };
  const nodes = [
    nodeOf(1, first, [second.p2p]),
    nodeOf(2, second, [first.p2p]),
    nodeOf(3, third, [toFirst, toSecond]),
  ] as const;
  await Promise.all(nodes.map((node) => node.start()));
  const [one, two, three] = nodes;
  const haproxy = await HaProxy.start([one.address, two.address, three.address]);
  return {
    nodes,
    links,
    haproxy,
    mine: async (blocks, address) => mine(await highest(nodes), blocks, address),
    close: async () => {
      await haproxy.stop();
      await Promise.all(nodes.filter(({ isRunning }) => isRunning).map((node) => node.kill()));
      for (const link of links) link.close();
    },
  };
}

/** Returns the URL of a node for the upgrade script. */
export const urlOf = (node: FleetNode): string => `http://${LOOPBACK}:${node.ports.wallets}`;
