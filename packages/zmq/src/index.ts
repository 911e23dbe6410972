// The ZeroMQ interface. Apart from index.ts, so that a node without it does not load it.
export type { ZmqMining } from './mining.ts';
export type { ZmqOptions } from './options.ts';
export type { PublishedTransaction } from './new-transactions.ts';
export { ZmqServer, type ZmqDependencies } from './server.ts';
