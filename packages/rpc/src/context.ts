import type { Logger, Yielder } from '@monero-node/base';
import type { BlockTemplates, WorkClient } from '@monero-node/blockchain';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { PowHasher } from '@monero-node/pow';
import type { ClientUses } from './client-uses.ts';
import type { BlockLookup } from './blocks/block-lookup.ts';
import type { MethodUses } from './method-uses.ts';
import type { OutputDistributions } from './outputs/output-distributions.ts';
import type { RecentSpans } from './blocks/recent-spans.ts';
import type { TransactionTexts } from './transactions/transaction-texts.ts';
import type { TxIdSearch } from './transactions/tx-id-search.ts';
import type { ForkVotes } from './blocks/fork-votes.ts';
import type { RpcPool, RpcTransactions } from './pool.ts';
import type { Bootstrap } from './bootstrap/bootstrap.ts';
import type { RpcChain, RpcLedger, RpcMiner, RpcStratum } from './dependencies.ts';
import type { NodeControl } from './node-process.ts';

/** Results that are costly to compute and are kept; the servers of one node share them. */
export interface ChainCaches {
  readonly blocks: BlockLookup;
  /** The newest blocks, which every wallet asks for. */
  readonly recentSpans: RecentSpans;
  readonly distributions: OutputDistributions;
  readonly forkVotes: ForkVotes;
  readonly txIdSearch: TxIdSearch;
  readonly transactionTexts: TransactionTexts;
}

/** The parts of the node that the calls of one server use. */
export interface RpcServices extends ChainCaches {
  readonly chain: RpcChain;
  readonly p2p: P2pNodeInfo;
  readonly node: NodeControl;
  readonly pool: RpcPool;
  readonly transactions: RpcTransactions | undefined;
  readonly templates: Pick<BlockTemplates, 'create'> | undefined;
  readonly miner: RpcMiner | undefined;
  readonly ledger: RpcLedger | undefined;
  readonly stratum: RpcStratum | undefined;
  readonly clients: ClientUses | undefined;
  readonly pow: Pick<PowHasher, 'hash' | 'hashAside'> | undefined;
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: () => number;
  /** Returns the 32-byte commitment to an amount that is not hidden. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  /** Another daemon that may answer in place of this one. */
  readonly bootstrap: Bootstrap;
  /** Calls of each method since the start, or since they were last cleared or reported. */
  readonly usage: MethodUses;
}

/** The services and the facts of one call, passed to its handler. */
export interface RpcContext {
  readonly services: RpcServices;
  /** Whether the listener hides private data and refuses costly requests. */
  readonly restricted: boolean;
  /** Whether the answer is marked as untrusted. */
  readonly untrusted: boolean;
  /** Open connections of the call's listener. */
  readonly rpcConnections: number;
  /** Long work calls `await yielder.yieldIfDue()` now and then. */
  readonly yielder: Yielder;
  /**
   * Waits for work that calls share, as `resting(promise)`. The call gives back its slot among the long calls of its
   * listener meanwhile; the next pause of its yielder takes one again.
   */
  readonly resting: <T>(work: Promise<T>) => Promise<T>;
  /**
   * States the bytes that the call keeps in memory until its answer is sent, besides those written; each statement
   * replaces the one before. Throws AbandonedCallError when the client has left, or is cut off because too much is kept.
   */
  readonly holds: (bytes: number) => void;
  /** The client that waits, for expensive work. Undefined for a call that came through no port. */
  readonly client: Pick<WorkClient, 'host' | 'isGone'> | undefined;
  /** Whether a web page of an origin that is not allowed has made the call. */
  readonly fromForeignPage: boolean;
  /** Counts a failed block request of the caller's address, which is banned after a few. */
  readonly hostFailed: () => void;
}
