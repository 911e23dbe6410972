export { createDaemonTransport, type DaemonAddress } from './daemon-transport.ts';
export type {
  FinishedCall,
  LogControl,
  NodeControl,
  RpcChain,
  RpcDependencies,
} from './dependencies.ts';
export type { RpcServices } from './context.ts';
export { isLoopback } from './gateway/addresses.ts';
export { isAllowedHost } from './gateway/browser-guard.ts';
export type { CallFacts, CallObserver } from './call-observer.ts';
export { RpcOptionsError } from './errors.ts';
export { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts';
export { EventChannel, type EventChannelOptions } from './page/event-channel.ts';
export type { PageFile, PageMode, PageView, WebPage } from './page/web-page.ts';
export type { RpcPool, RpcTransactions, SendAnswer } from './pool.ts';
export type { NewerVersion, UpdateControl } from './updates.ts';
export { sendAnswer } from './send-answer.ts';
export { RpcServer, type RpcPorts } from './server.ts';
export type { TlsMode, TlsOptions } from './tls/options.ts';
export type { ZmqMining } from './zmq/dependencies.ts';
export type { ZmqOptions } from './zmq/options.ts';
export type { PublishedTransaction } from './zmq/publisher.ts';
export { ZmqServer, type ZmqDependencies } from './zmq/server.ts';
export type { RpcMiner } from './mining.ts';
export { minerAddress, standardAddress } from './mining/miner-address.ts';
