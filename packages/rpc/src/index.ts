export {
  RpcCallError,
  RpcConnectionError,
  type JsonObject,
  type RpcCaller,
} from './client/caller.ts';
export { RpcClient, type RpcClientOptions } from './client/rpc-client.ts';
export type { LogControl, NodeControl, RpcChain, RpcDependencies, RpcServices } from './context.ts';
export { RpcOptionsError } from './errors.ts';
export type { Login } from './login/digest.ts';
export { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts';
export type { PoolChanges, PoolTransaction, RpcPool, RpcTransactions, SendAnswer } from './pool.ts';
export { sendAnswer } from './send-answer.ts';
export { RpcServer, type RpcPorts } from './server.ts';
export type { TlsMode, TlsOptions } from './tls/options.ts';
export type { ZmqMining } from './zmq/dependencies.ts';
export type { ZmqOptions } from './zmq/options.ts';
export type { PublishedTransaction } from './zmq/publisher.ts';
export { ZmqServer, type ZmqDependencies } from './zmq/server.ts';
export type { MinerStart, MinerStatus, RpcMiner } from './mining.ts';
export { minerAddress } from './chain/miner-address.ts';
