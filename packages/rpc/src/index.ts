export type { NodeControl, RpcChain, RpcDependencies } from './context.ts';
export { RpcOptionsError } from './errors.ts';
export type { Login } from './login/digest.ts';
export { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts';
export type { PoolTransaction, RpcPool } from './pool.ts';
export { RpcServer, type RpcPorts } from './server.ts';
export type { TlsMode, TlsOptions } from './tls/options.ts';
