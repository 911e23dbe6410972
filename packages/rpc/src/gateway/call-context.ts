import type { RpcContext, RpcServices } from '../context.ts';

/** The facts of one call. */
export type CallFacts = Omit<RpcContext, keyof RpcServices>;

/** The facts of a call that came through no port. */
export const LOCAL_CALL: Omit<CallFacts, 'yielder'> = {
  restricted: false,
  untrusted: false,
  rpcConnections: 0,
  resting: (work) => work,
  holds: () => undefined,
  client: undefined,
  fromForeignPage: false,
  hostFailed: () => undefined,
};

/** Returns the context of one call. Every field is named because a spread of this many fields takes V8 about 20 µs. */
export function callContext(services: RpcServices, facts: CallFacts): RpcContext {
  return {
    chain: services.chain,
    p2p: services.p2p,
    node: services.node,
    pool: services.pool,
    transactions: services.transactions,
    templates: services.templates,
    miner: services.miner,
    pow: services.pow,
    logger: services.logger,
    now: services.now,
    commitToAmount: services.commitToAmount,
    blocks: services.blocks,
    recentEntries: services.recentEntries,
    distributions: services.distributions,
    forkVotes: services.forkVotes,
    txIdSearch: services.txIdSearch,
    transactionTexts: services.transactionTexts,
    bootstrap: services.bootstrap,
    usage: services.usage,
    restricted: facts.restricted,
    untrusted: facts.untrusted,
    rpcConnections: facts.rpcConnections,
    yielder: facts.yielder,
    resting: facts.resting,
    holds: facts.holds,
    client: facts.client,
    fromForeignPage: facts.fromForeignPage,
    hostFailed: facts.hostFailed,
  };
}
