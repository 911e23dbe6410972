import { silentLogger, systemSeconds, type Logger } from '@monero-node/base';
import type { Blockchain, BlockTemplates } from '@monero-node/blockchain';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { PowHasher } from '@monero-node/pow';
import type { OnCall } from './finished-call.ts';
import { LiveNode } from './live-node.ts';
import type { RpcMiner } from './mining.ts';
import { NoPeers } from './peers/no-peers.ts';
import type { RpcPool, RpcTransactions } from './pool.ts';
import type { WebPage } from './page/web-page.ts';
import type { UpdateControl } from './updates.ts';

/** The part of the chain that the RPC uses. */
export type RpcChain = Pick<
  Blockchain,
  | 'network'
  | 'store'
  | 'height'
  | 'topId'
  | 'top'
  | 'busy'
  | 'addBlock'
  | 'popBlocks'
  | 'forgetInvalidBlocks'
  | 'findCommonHeight'
  | 'nextDifficulty'
  | 'nextVersion'
  | 'weightState'
  | 'adjustedTime'
  | 'difficultyOf'
  | 'feeEstimate'
  | 'powHash'
  | 'pruningSeed'
  | 'prune'
  | 'checkPruning'
>;

/** The log of the process. */
export interface LogControl {
  /** Categories in force, as text. */
  readonly categories: string;
  /** Takes what monerod's `set_log` takes: a level, categories, or `+` and `-` to add and remove some. Never throws. */
  set(spec: string): void;
}

/** The process around the parts: what only the composition root can answer or do. */
export interface NodeControl {
  /** Unix seconds at which the node started. */
  startTime: number;
  /** Version as `get_info` reports it. */
  version: string;
  /** Started without network. */
  offline: boolean;
  dataDir: string;
  /** Without it the calls that change the log are not served. */
  log?: LogControl | undefined;
  /** Without it no newer version of the program is found. */
  updates?: UpdateControl | undefined;
  /** Begins an orderly shutdown; returns at once. */
  requestStop(): void;
  /** Bytes free on the volume of the data directory. */
  freeSpace(): Promise<number>;
  /** Writes what is only in memory to disk. */
  flush(): Promise<void>;
  /**
   * Returns why clients should ask another node, one word for each reason; an empty list when this node is ready. Without
   * it a node is ready when it is synchronized.
   */
  notReady?(): readonly string[] | undefined;
}

/** What {@link RpcServer} is built from. Only the chain is needed. */
export interface RpcDependencies {
  blockchain: RpcChain;
  /** Without one the node is shown synchronized and without peers. */
  p2p?: P2pNodeInfo;
  /** Absent parts are those of a node that is offline, has no folder and does not stop. */
  node?: Partial<NodeControl>;
  /** Silent by default. */
  logger?: Logger;
  /** For `calc_pow`, which is not served without it. */
  pow?: Pick<PowHasher, 'hash'>;
  /** Without one the pool is shown empty. */
  pool?: RpcPool;
  /** Without it transactions are not taken. */
  transactions?: RpcTransactions;
  /** For the calls of miners that work elsewhere, which are not served without it. */
  templates?: Pick<BlockTemplates, 'create'>;
  /** For the calls that control it, which are not served without it. */
  miner?: RpcMiner;
  /** The web page of the node; none by default. */
  page?: WebPage;
  /** Takes notice of each call that has ended. */
  onCall?: OnCall;
  /** Unix seconds; the system clock by default. */
  now?: () => number;
}

/** The same with the defaults filled in. */
export interface ResolvedRpcDependencies extends RpcDependencies {
  p2p: P2pNodeInfo;
  node: NodeControl;
  logger: Logger;
}

/** Fills in the parts that a program without peers, folder and log does not have. */
export function resolveDependencies(deps: RpcDependencies): ResolvedRpcDependencies {
  const node = new LiveNode(deps.node ?? {}, systemSeconds());
  return {
    ...deps,
    node,
    p2p: deps.p2p ?? new NoPeers(() => deps.blockchain.height, node.startTime),
    logger: deps.logger ?? silentLogger,
  };
}
