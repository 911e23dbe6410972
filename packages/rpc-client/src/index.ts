export { RpcClient, type RpcClientOptions } from './client.ts';
export {
  RpcAnswerError,
  RpcCallError,
  RpcConnectionError,
  RpcError,
  RpcHttpError,
  RpcLoginError,
  RpcStatusError,
} from './errors.ts';
export { createFetchTransport } from './fetch-transport.ts';
export type { HttpOptions, RpcTransport } from './transport.ts';
export type { BinaryPath, JsonPath, ReplyOf, RequestTo, RpcName } from '@monero-node/rpc-schema';
export type { Login } from '@monero-node/rpc-schema/login';
