export type { NodeControl, RpcChain, RpcDependencies } from './context.ts';
export { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts';
export { RpcServer, type RpcPorts } from './server.ts';
