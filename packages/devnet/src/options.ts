import { OPTIONAL, type OptionTable } from '@monero-node/base/options';
import {
  NETWORKS,
  parsePrivateForks,
  withOverrides,
  type HardFork,
  type Network,
  type NetworkName,
} from '@monero-node/consensus';
import type { NodeOptions, SharedEngines } from '@monero-node/node';
import type { DevClock } from './dev-clock.ts';

const LOOPBACK = '127.0.0.1';
/** Enough for every program of a test. */
const MANY = 10_000;

/** A node to connect to: `host:port` of its peer-to-peer network, or what has one. */
export type DevPeer = string | { readonly p2pAddress: string };

/** Options of a node for tests. */
export interface DevNodeOptions {
  /** Whose ids, addresses and ports; `regtest` when absent. The chain is a private one on every network. */
  readonly network?: NetworkName;
  /** Difficulty of every block; 1 when absent, which every hash meets, so that none is computed. */
  readonly difficulty?: number | bigint;
  /** Instead of those of the network, which on regtest are today's rules from block 1. */
  readonly hardForks?: readonly HardFork[];
  /** The same as a list of versions and their heights, such as `16:1,17:40,18:60`. */
  readonly forks?: string;
  /** Folder in which the chain is kept; in memory when absent. */
  readonly dataDir?: string;
  /** A free port when absent. */
  readonly rpcPort?: number;
  /** Address that the RPC listens on; 127.0.0.1 when absent. Whoever reaches it controls the node. */
  readonly rpcHost?: string;
  /** A free port when absent. */
  readonly p2pPort?: number;
  /** Nodes to connect to, of this kind or any other; the start waits for them. */
  readonly peers?: readonly DevPeer[];
  /** Milliseconds to wait for the peers; 20 seconds when absent. */
  readonly connectMilliseconds?: number;
  /** A clock of its own when absent. Nodes that are linked should share one: they refuse blocks two hours ahead. */
  readonly clock?: DevClock;
  /** Engines of other nodes of this process; its own when absent. */
  readonly engines?: SharedEngines;
  /** Whether to mine a block for each transaction that enters the pool; false when absent. */
  readonly autoMine?: boolean;
  /** Called when an RPC client asks the node to stop; by default the node stops. */
  readonly requestStop?: () => void;
  /** Silent when absent. */
  readonly logger?: NodeOptions['logger'];
}

/** Options of every node of a network: those of a node, except what each has for itself. */
export type DevNetworkOptions = Omit<
  DevNodeOptions,
  'dataDir' | 'engines' | 'p2pPort' | 'peers' | 'rpcPort'
>;

/** The options of `startNetwork`. */
export const NETWORK_OPTIONS: OptionTable<DevNetworkOptions> = {
  network: { optional: true, choices: Object.keys(NETWORKS) as readonly NetworkName[] },
  difficulty: OPTIONAL,
  hardForks: OPTIONAL,
  forks: OPTIONAL,
  rpcHost: OPTIONAL,
  connectMilliseconds: OPTIONAL,
  clock: OPTIONAL,
  autoMine: OPTIONAL,
  requestStop: OPTIONAL,
  logger: OPTIONAL,
};

/** The options of `startNode`. */
export const NODE_OPTIONS: OptionTable<DevNodeOptions> = {
  ...NETWORK_OPTIONS,
  dataDir: OPTIONAL,
  rpcPort: OPTIONAL,
  p2pPort: OPTIONAL,
  peers: OPTIONAL,
  engines: OPTIONAL,
};

/** Returns a peer as `host:port`. */
function addressOf(peer: DevPeer): string {
  return typeof peer === 'string' ? peer : peer.p2pAddress;
}

/** Returns a network without anything that leads to the public one: no seeds, no checkpoints. Throws RangeError. */
function privateNetwork({
  network = 'regtest',
  difficulty = 1,
  hardForks: listed,
  forks,
}: Pick<DevNodeOptions, 'network' | 'difficulty' | 'hardForks' | 'forks'>): Network {
  const fixedDifficulty = BigInt(difficulty);
  if (fixedDifficulty < 1n) throw new RangeError('the difficulty is a whole number and 1 or more');
  if (listed !== undefined && forks !== undefined)
    throw new RangeError('hardForks and forks say the same: give one of them');
  const hardForks = forks === undefined ? listed : parsePrivateForks(forks);
  return {
    ...withOverrides(NETWORKS[network], { fixedDifficulty, ...(hardForks && { hardForks }) }),
    checkpoints: [],
    trustedBlockGroups: undefined,
    checkpointHosts: [],
    blockListHosts: [],
    seedHosts: [],
    seedNodes: [],
    torSeedNodes: [],
    i2pSeedNodes: [],
  };
}

/** Returns the options of the node itself. Throws RangeError for a wrong difficulty, and for forks that do not ascend or that two options name. */
export function nodeOptions(options: DevNodeOptions, clock: DevClock): NodeOptions {
  const { dataDir, engines, logger, requestStop } = options;
  const peers = (options.peers ?? []).map(addressOf);
  return {
    network: privateNetwork(options),
    ...(dataDir !== undefined && { dataDir }),
    ...(engines && { engines }),
    ...(logger && { logger }),
    ...(requestStop && { requestStop }),
    skipEasiestWork: true,
    now: () => clock.now(),
    rpc: {
      bindIp: options.rpcHost ?? LOOPBACK,
      bindPort: options.rpcPort ?? 0,
      confirmExternalBind: true,
      disableRpcBan: true,
      maxConnections: MANY,
      maxConnectionsPerPrivateIp: MANY,
      maxConnectionsPerPublicIp: MANY,
    },
    p2p: {
      bindIp: LOOPBACK,
      bindPort: options.p2pPort ?? 0,
      allowLocalIp: true,
      // So that a crawl finds the whole network.
      allowLoopback: true,
      exclusiveNodes: peers,
      // To these and no others: nodes that know each other would all connect.
      outPeers: peers.length,
      maxConnectionsPerIp: MANY,
      startsSynchronized: true,
    },
  };
}
