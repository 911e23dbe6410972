import { createReferenceBackend } from '@monero-node/crypto';
import { ForkVotes } from './chain/fork-votes.ts';
import { OutputDistributions } from './chain/output-distributions.ts';
import type { RpcDependencies, RpcServices } from './context.ts';
import { EMPTY_POOL } from './pool.ts';

/** What the servers of one node share; among it are counts that are costly to make and are kept. */
export function createServices(deps: RpcDependencies): RpcServices {
  const backend = createReferenceBackend();
  return {
    chain: deps.blockchain,
    p2p: deps.p2p,
    node: deps.node,
    pool: deps.pool ?? EMPTY_POOL,
    pow: deps.pow,
    logger: deps.logger,
    now: deps.now ?? (() => Math.floor(Date.now() / 1000)),
    commitToAmount: (amount) => backend.commitToAmount(amount),
    distributions: new OutputDistributions(),
    forkVotes: new ForkVotes(),
    usage: new Map(),
  };
}
