// The ZeroMQ interface of a node.
export type { ZmqMining } from './mining.ts';
export type { ZmqOptions } from './options.ts';
export type { PublishedTransaction } from './new-transactions.ts';
export { ZmqServer, type ZmqDependencies } from './server.ts';
