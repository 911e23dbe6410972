import { ZmqServer, type ZmqDependencies, type ZmqOptions } from '@monero-node/zmq';
import type { TxPool } from '@monero-node/mempool';

// Imported only by nodes with ZeroMQ: its code takes memory and time to start.

/** Creates the ZeroMQ server of a node, which publishes the transactions of its pool. */
export function createZmq(
  options: ZmqOptions,
  deps: ZmqDependencies & { readonly pool: TxPool },
): ZmqServer {
  const zmq = new ZmqServer(options, deps);
  deps.pool.on('published', (transactions, { isNews }) => {
    if (isNews) zmq.transactionsAdded(transactions);
  });
  deps.pool.on('removed', ({ transaction, reason }) => {
    if (reason === 'mined') zmq.transactionMined(transaction);
  });
  return zmq;
}
