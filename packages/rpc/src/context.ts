import type { Logger, Yielder } from '@monero-node/base';
import type { BlockTemplates } from '@monero-node/blockchain';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { PowHasher } from '@monero-node/pow';
import type { BlockLookup } from './blocks/block-lookup.ts';
import type { OutputDistributions } from './outputs/output-distributions.ts';
import type { RecentEntries } from './blocks/recent-entries.ts';
import type { TxIdSearch } from './transactions/tx-id-search.ts';
import type { ForkVotes } from './blocks/fork-votes.ts';
import type { RpcMiner } from './mining.ts';
import type { RpcPool, RpcTransactions } from './pool.ts';
import type { Bootstrap } from './bootstrap/bootstrap.ts';
import type { RpcChain, NodeControl } from './dependencies.ts';

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
  /** For long work: `await yielder.yieldIfDue()` now and then. */
  readonly yielder: Yielder;
  /** Notes a failed block request of the caller's address, which gets it banned in the end. */
  readonly hostFailed: () => void;
}
