import type { Logger } from '@monero-node/base';
import type { Blockchain, BlockTemplates } from '@monero-node/blockchain';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { PowHasher } from '@monero-node/pow';
import type { BlockLookup } from './chain/block-lookup.ts';
import type { OutputDistributions } from './chain/output-distributions.ts';
import type { RecentEntries } from './chain/recent-entries.ts';
import type { TxIdSearch } from './chain/tx-id-search.ts';
import type { ForkVotes } from './chain/fork-votes.ts';
import type { RpcMiner } from './mining.ts';
import type { RpcPool, RpcTransactions } from './pool.ts';
import type { Bootstrap } from './bootstrap/bootstrap.ts';
import type { Turn } from './turns.ts';

/** What the RPC may ask of the chain. */
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
  log?: LogControl;
  /** Begins an orderly shutdown; returns at once. */
  requestStop(): void;
  /** Bytes free on the volume of the data directory. */
  freeSpace(): Promise<number>;
  /** Writes what is only in memory to disk. */
  flush(): Promise<void>;
}

/** What {@link RpcServer} is built from. */
export interface RpcDependencies {
  blockchain: RpcChain;
  p2p: P2pNodeInfo;
  node: NodeControl;
  logger: Logger;
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
  /** Unix seconds; the system clock by default. */
  now?: () => number;
}

/** What every call of one server shares. */
export interface RpcServices {
  readonly chain: RpcChain;
  readonly p2p: P2pNodeInfo;
  readonly node: NodeControl;
  readonly pool: RpcPool;
  readonly transactions: RpcTransactions | undefined;
  readonly templates: Pick<BlockTemplates, 'create'> | undefined;
  readonly miner: RpcMiner | undefined;
  readonly pow: Pick<PowHasher, 'hash'> | undefined;
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: () => number;
  /** Commitment that stands for an amount in the clear. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  readonly blocks: BlockLookup;
  /** For wallets, which all ask for the newest blocks. */
  readonly recentEntries: RecentEntries;
  readonly distributions: OutputDistributions;
  readonly forkVotes: ForkVotes;
  readonly txIdSearch: TxIdSearch;
  /** Another daemon that may answer in place of this one. */
  readonly bootstrap: Bootstrap;
  /** How often each method was called and how long that took, by name. */
  readonly usage: Map<string, MethodUsage>;
}

export interface MethodUsage {
  count: number;
  /** Microseconds, waiting included. */
  time: number;
}

/** What a handler may use. */
export interface RpcContext extends RpcServices {
  /** The call came to a listener that hides what is private or costly. */
  readonly restricted: boolean;
  /** Answers are to be marked as untrusted. */
  readonly untrusted: boolean;
  /** Open connections of the listener the call came to. */
  readonly rpcConnections: number;
  /** For long work: `await turn.rest()` now and then. */
  readonly turn: Turn;
  /** Notes a failed block request of the caller's address, which gets it banned in the end. */
  readonly hostFailed: () => void;
}
