import type { Logger } from '@monero-node/base';
import { checkArgument } from '@monero-node/base/options';
import { NETWORKS, type Network, type NetworkName } from '@monero-node/consensus';
import type { P2pOptions } from '@monero-node/p2p';
import type { LogControl, RpcOptions } from '@monero-node/rpc';
import type { ZmqOptions } from '@monero-node/zmq';
import type { StorageError } from '@monero-node/storage';
import type { EngineChanges, SharedEngines } from './parts/engines.ts';
import type { FleetNode } from './fleet/resolve-nodes.ts';
import type { MiningSettings } from './parts/mining.ts';
import type { OpenChainOptions } from './parts/open-chain.ts';
import type { ReadinessLimits } from './parts/readiness.ts';
import type { StratumSettings } from './parts/stratum.ts';

/** Options of a node. Every one has a default. */
export interface NodeOptions extends Omit<OpenChainOptions, 'network'> {
  /** `mainnet` when absent. A {@link Network} may have other rules: see `withOverrides` of `@monero-node/consensus`. */
  readonly network?: NetworkName | Network;
  /** Silent when absent. */
  readonly logger?: Logger;
  /** When absent, the RPC of the owner listens on loopback, at the port of the network. */
  readonly rpc?: Partial<RpcOptions>;
  /**
   * Number of processes that answer RPC calls from the database; 0 when absent. A node without a data directory, or with a
   * clock of its own, has none.
   */
  readonly rpcWorkers?: number;
  /** When absent, the node listens on all IPv4 addresses, at the port of the network. */
  readonly p2p?: Partial<P2pOptions>;
  /** ZeroMQ is off when absent. */
  readonly zmq?: ZmqOptions | undefined;
  /** Rigs are not served when absent. */
  readonly stratum?: StratumSettings | undefined;
  /** When absent, nothing is mined before an RPC client or the program starts it. */
  readonly mining?: MiningSettings;
  /** Total weight above which the pool evicts transactions; 648,000,000 when absent. */
  readonly maxPoolWeight?: number;
  /** Whether to prune the chain permanently; false when absent. */
  readonly prune?: boolean;
  /** Limits within which this node is ready (`/health/ready`); those of `DEFAULT_READINESS` where absent. */
  readonly readiness?: Partial<ReadinessLimits>;
  /** The other nodes of a fleet, or names of them, which tell this one when it lags. */
  readonly fleetNodes?: readonly FleetNode[];
  /** Version that `get_info` reports; that of this package when absent. */
  readonly rpcVersion?: string;
  /** Lets RPC clients change the log levels; without it they cannot. */
  readonly logLevels?: LogControl;
  /** Called when an RPC client asks the node to stop; by default the node stops. */
  readonly requestStop?: () => void;
  /** Called once, when the store takes no more writes, for example because the disk is full. The node must be stopped. */
  readonly onStorageFailure?: (error: StorageError) => void;
  /** Called with the line of the log when an engine of this node has erred or computed nothing. It must not throw. */
  readonly onEngineTrouble?: (line: string) => void;
  /** Engines that several nodes of the process share; by default the node has its own. */
  readonly engines?: SharedEngines;
  /** For tests with engines that fail. */
  readonly engineChanges?: EngineChanges | undefined;
}

/** Returns the network that an option names. Throws OptionError for a name that no network has. */
export function networkOf(network: NetworkName | Network = 'mainnet'): Network {
  if (typeof network !== 'string') return network;
  checkArgument('openNode', 'network', network, { choices: Object.keys(NETWORKS) });
  return NETWORKS[network];
}
