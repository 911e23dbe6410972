import { systemSeconds } from '@monero-node/base';
import { createReferenceBackend } from '@monero-node/crypto';
import type { SocksEndpoint } from '@monero-node/p2p/socks';
import { Bootstrap } from './bootstrap/bootstrap.ts';
import { BlockLookup } from './blocks/block-lookup.ts';
import { ForkVotes } from './blocks/fork-votes.ts';
import { OutputDistributions } from './outputs/output-distributions.ts';
import { RecentSpans } from './blocks/recent-spans.ts';
import { TransactionTexts } from './transactions/transaction-texts.ts';
import { TxIdSearch } from './transactions/tx-id-search.ts';
import type { RpcChain, ResolvedRpcDependencies } from './dependencies.ts';
import type { ChainCaches, RpcServices } from './context.ts';
import { MethodUses } from './method-uses.ts';
import { EMPTY_POOL } from './pool.ts';

export interface ServiceOptions {
  /** Caches of another server of the node; empty ones by default. */
  readonly caches?: ChainCaches | undefined;
  /** The proxy of every connection; see `RpcOptions`. */
  readonly proxy?: SocksEndpoint | undefined;
  /** Called when the use of a method is counted while none was. */
  readonly onUse?: (() => void) | undefined;
}

/** Returns empty caches of a chain. */
function createCaches(chain: RpcChain): ChainCaches {
  return {
    blocks: new BlockLookup(chain),
    recentSpans: new RecentSpans(chain),
    distributions: new OutputDistributions(),
    forkVotes: new ForkVotes(),
    txIdSearch: new TxIdSearch(),
    transactionTexts: new TransactionTexts(),
  };
}

/** Returns the services of one server. */
export function createServices(
  deps: ResolvedRpcDependencies,
  options: ServiceOptions = {},
): RpcServices {
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
    ledger: deps.ledger,
    stratum: deps.stratum,
    clients: deps.clients,
    pow: deps.pow,
    logger: deps.logger,
    now,
    commitToAmount: (amount) => backend.commitToAmount(amount),
    ...(options.caches ?? createCaches(deps.blockchain)),
    bootstrap: new Bootstrap({
      p2p: deps.p2p,
      height: () => deps.blockchain.height,
      now,
      logger: deps.logger,
      proxy: options.proxy,
    }),
    usage: new MethodUses(options.onUse),
  };
}
