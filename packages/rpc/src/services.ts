import { systemSeconds } from '@monero-node/base';
import { createReferenceBackend } from '@monero-node/crypto';
import type { SocksEndpoint } from '@monero-node/p2p/socks';
import { Bootstrap } from './bootstrap/bootstrap.ts';
import { BlockLookup } from './blocks/block-lookup.ts';
import { ForkVotes } from './blocks/fork-votes.ts';
import { OutputDistributions } from './outputs/output-distributions.ts';
import { RecentEntries } from './blocks/recent-entries.ts';
import { TxIdSearch } from './transactions/tx-id-search.ts';
import type { RpcDependencies } from './dependencies.ts';
import type { RpcServices } from './context.ts';
import { EMPTY_POOL } from './pool.ts';

export interface ServiceOptions {
  /** As in the options of the server. */
  readonly proxy?: SocksEndpoint | undefined;
}

/** What the servers of one node share; among it are counts that are costly to make and are kept. */
export function createServices(deps: RpcDependencies, options: ServiceOptions = {}): RpcServices {
  const backend = createReferenceBackend();
  const now = deps.now ?? systemSeconds;
  return {
    chain: deps.blockchain,
    p2p: deps.p2p,
    node: deps.node,
    pool: deps.pool ?? EMPTY_POOL,
    transactions: deps.transactions,
    templates: deps.templates,
    miner: deps.miner,
    pow: deps.pow,
    logger: deps.logger,
    now,
    commitToAmount: (amount) => backend.commitToAmount(amount),
    blocks: new BlockLookup(deps.blockchain),
    recentEntries: new RecentEntries(deps.blockchain),
    distributions: new OutputDistributions(),
    forkVotes: new ForkVotes(),
    txIdSearch: new TxIdSearch(),
    bootstrap: new Bootstrap({
      p2p: deps.p2p,
      height: () => deps.blockchain.height,
      now,
      logger: deps.logger,
      proxy: options.proxy,
    }),
    usage: new Map(),
  };
}
