export { RpcClient } from './client.ts';
export {
  RpcAnswerError,
  RpcCallError,
  RpcConnectionError,
  RpcError,
  RpcHttpError,
  RpcLoginError,
  RpcStatusError,
} from './errors.ts';
export type { BinaryPath, JsonPath, ReplyOf, RequestTo, RpcName } from './methods.ts';
export type { TransportOptions } from './transport.ts';
