export type { CallOptions } from './call-options.ts';
export { RpcClient, type RpcClientOptions, type TransportOption } from './client.ts';
export {
  RpcAnswerError,
  RpcCallError,
  RpcConnectionError,
  type RpcConnectionErrorCode,
  RpcError,
  type RpcErrorCode,
  RpcHttpError,
  RpcLoginError,
  RpcStatusError,
} from './errors.ts';
export { fetchRings, type FetchedRingMember } from './fetch-rings.ts';
export { createFetchTransport } from './fetch-transport.ts';
export type { HttpOptions, RpcTransport } from './transport.ts';
export type { BinaryPath, JsonPath, ReplyOf, RequestTo, RpcName } from '@monero-node/rpc-schema';
export type { Login } from '@monero-node/rpc-schema/login';
