import { silentLogger, systemSeconds, type Logger } from '@monero-node/base';
import type { Blockchain, BlockTemplates } from '@monero-node/blockchain';
import type { MinerStart, MinerStatus, MiningLedger } from '@monero-node/miner';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { PowHasher } from '@monero-node/pow';
import type { CopyableStore } from '@monero-node/storage';
import type { ClientUses } from './client-uses.ts';
import type { EventSources } from './events/event-feed.ts';
import type { OnCall } from './finished-call.ts';
import { LiveNode } from './node-process.ts';
import type { NodeControl } from './node-process.ts';
import { NoPeers } from './peers/no-peers.ts';
import type { RpcPool, RpcTransactions } from './pool.ts';
import type { WebPage } from './page/web-page.ts';

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
  | 'hashFor'
  | 'popBlocks'
  | 'forgetInvalidBlocks'
  | 'findCommonHeight'
  | 'nextDifficulty'
  | 'nextVersion'
  | 'weightState'
  | 'treeRoots'
  | 'adjustedTime'
  | 'difficultyOf'
  | 'feeEstimate'
  | 'powHash'
  | 'pruningSeed'
  | 'prune'
  | 'checkPruning'
>;

/** The built-in miner, as the RPC uses it. */
export interface RpcMiner {
  readonly status: MinerStatus;
  /** Resolves to false when it could not be started. */
  start(options: MinerStart): Promise<boolean>;
  stop(): Promise<void>;
  /** Turns the hash rate in the log on or off. */
  showHashRate(visible: boolean): void;
}

/** The blocks that the node has found, as the RPC uses them. */
export type RpcLedger = Pick<MiningLedger, 'mined' | 'entries' | 'hashes'>;

/** A rig that mines for the node, as the RPC uses it. Times are in Unix seconds. */
export interface RpcRig {
  readonly name: string;
  /** Open connections. */
  readonly connections: number;
  /** Of the last connection, without its port. */
  readonly address: string;
  /** Its program, as that names itself. */
  readonly agent: string;
  /** Whose address its blocks pay. */
  readonly pays: 'owner' | 'login';
  /** When it connected, or when it left. */
  readonly since: number;
  readonly shareDifficulty: number;
  /** Hashes per second. */
  readonly rate: { readonly current: number };
  readonly accepted: number;
  readonly stale: number;
  readonly refused: number;
  readonly blocks: number;
  /** Undefined before the first share. */
  readonly lastShareAt: number | undefined;
}

/** The server for rigs, as the RPC uses it. */
export interface RpcStratum {
  /** Those that have logged in since the start, in the order of their first login. */
  readonly rigs: readonly RpcRig[];
  /** Shares of all rigs since the start, also of those that were forgotten. */
  readonly counts: {
    readonly shares: Readonly<Record<'accepted' | 'stale' | 'refused', number>>;
  };
}

/** Processes that answer the calls that read the chain. */
export interface RpcWorkersOptions {
  /** One at least. */
  readonly count: number;
  /** The store of the chain. */
  readonly store: Pick<CopyableStore, 'shareCommits'>;
  /** Its folder. */
  readonly storePath: string;
}

/** What {@link RpcServer} is built from. Only the chain is needed. */
export interface RpcDependencies {
  readonly blockchain: RpcChain;
  /** Without one the node is shown synchronized and without peers. */
  readonly p2p?: P2pNodeInfo;
  /** Absent parts are those of a node that is offline, has no folder and does not stop. */
  readonly node?: Partial<NodeControl>;
  /** Silent by default. */
  readonly logger?: Logger;
  /** For `calc_pow`, which is not served without it. */
  readonly pow?: Pick<PowHasher, 'hash' | 'hashAside'>;
  /** Without one the pool is shown empty. */
  readonly pool?: RpcPool;
  /** Without it transactions are not taken. */
  readonly transactions?: RpcTransactions;
  /** For the calls of miners that work elsewhere, which are not served without it. */
  readonly templates?: Pick<BlockTemplates, 'create'>;
  /** For the calls that control it, which are not served without it. */
  readonly miner?: RpcMiner;
  /** Where blocks that clients submit and generate are written down; without it they are not, and it cannot be read. */
  readonly ledger?: RpcLedger;
  /** The server for rigs; the call about them is not served without it. */
  readonly stratum?: RpcStratum;
  /** What clients have cost, which `onCall` counts; the call about them is not served without it. */
  readonly clients?: ClientUses;
  /** The web page of the node; none by default. */
  readonly page?: WebPage;
  /** What tells of changes, for the stream of events at `/events`, which is not served without it. */
  readonly events?: EventSources;
  /** Takes notice of each call that has ended. */
  readonly onCall?: OnCall;
  /**
   * Returns whether `onCall` has a use for the HTTP calls that begin now, as when they are neither logged nor measured. Asked at every
   * call; always by default.
   */
  readonly wantsCalls?: () => boolean;
  /** Processes that answer calls; none by default. */
  readonly workers?: RpcWorkersOptions | undefined;
  /** Unix seconds; the system clock by default. */
  readonly now?: () => number;
}

/** The same with the defaults filled in. */
export interface ResolvedRpcDependencies extends RpcDependencies {
  readonly p2p: P2pNodeInfo;
  readonly node: NodeControl;
  readonly logger: Logger;
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
