import type { AnonymityRelay } from './anonymity-relay.ts';
import type { TransactionRelay } from './transactions.ts';
import type { RelayBatch, PoolForP2p } from '../contract/pool-for-p2p.ts';

export interface OutboundTransactionsDependencies {
  readonly transactions: TransactionRelay;
  readonly anonymity: AnonymityRelay;
  readonly pool: PoolForP2p | undefined;
}

/** Sends the pool's transactions over the public network or, for those of own clients, over Tor or I2P. */
export class OutboundTransactions {
  readonly #deps: OutboundTransactionsDependencies;

  constructor(deps: OutboundTransactionsDependencies) {
    this.#deps = deps;
  }

  relay(batch: RelayBatch): void {
    const { anonymity, pool, transactions } = this.#deps;
    const isOwn = batch.method === 'local' && batch.from === undefined;
    if (!isOwn || !anonymity.enabled) {
      transactions.relay(batch);
      return;
    }
    // The public network must not learn that these transactions originate here.
    const ids = batch.transactions.map(({ id }) => id);
    if (anonymity.send(batch.transactions.map(({ blob }) => blob))) pool?.markRelayed(ids, 'local');
  }
}
