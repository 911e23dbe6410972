export type { CallOptions } from './call-options.ts';
export {
  type CallingOptions,
  RpcClient,
  type RpcClientOptions,
  type TransportOption,
  type UrlOptions,
} from './client.ts';
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
export type { CallAttempt, CallFailure, CallHooks, CallRequest, CallResponse } from './hooks.ts';
export type { RetryOptions } from './retry.ts';
export type { WithDates } from './with-bytes.ts';
export { createFetchTransport } from './fetch-transport.ts';
export type { HttpOptions, RpcTransport } from './transport.ts';
export type { BinaryPath, JsonPath, ReplyOf, RequestTo, RpcName } from '@monero-node/rpc-schema';
export type { Login } from '@monero-node/rpc-schema/login';
