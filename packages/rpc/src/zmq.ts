// The ZeroMQ interface. Apart from index.ts, so that a node without it does not load it.
export type { ZmqMining } from './zmq/dependencies.ts';
export type { ZmqOptions } from './zmq/options.ts';
export type { PublishedTransaction } from './zmq/new-transactions.ts';
export { ZmqServer, type ZmqDependencies } from './zmq/server.ts';
