import type { TxPool } from '@monero-node/mempool';
import { sendAnswer, type RpcTransactions } from '@monero-node/rpc';

/** Adapts the transaction pool to the calls of RPC clients that change it. */
export function rpcTransactions(pool: TxPool): RpcTransactions {
  return {
    submit: async (blob, { doNotRelay }) =>
      sendAnswer(await pool.add(blob, { source: 'local', doNotRelay })),
    relay: (id) => pool.relayNow(id),
    flush: (ids) => pool.flush(ids),
  };
}
