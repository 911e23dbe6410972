export {
  ByteSink,
  defineTable,
  DocumentTooLargeError,
  eitherOf,
  EMPTY_TABLE,
  f,
  type Field,
  type Fields,
  type InputOf,
  type Kind,
  omitDefault,
  optional,
  type OutputOf,
  RenderedObject,
  renderObject,
  type Table,
  withDefault,
  writeStorage,
} from '@monero-node/codec/portable-storage';
export { JSON_RPC_PATH, methodName } from './addresses.ts';
export { BUSY, RPC_ERROR } from './errors.ts';
export type { MethodAddresses, MethodSchema } from './method-schema.ts';
export type { BanRequest } from './methods/bans.ts';
export {
  BLOCK_INDICES,
  type BlockEntry,
  type BlockIndices,
  type BlocksRequest,
  type InitTreeSync,
} from './methods/blocks.ts';
export { BLOCK_HEADER, type BlockHeaderAnswer } from './methods/headers.ts';
export { ALL_METHODS, METHOD_SCHEMAS, OPENAPI_METHOD } from './methods/index.ts';
export {
  BINARY_OUTPUT,
  type DistributionRequest,
  type OutputDistributionAnswer,
  type PathEntryAnswer,
  type TreeOutputsAnswer,
  type TreePathAnswer,
} from './methods/outputs.ts';
export type { ConnectionAnswer, PeerAnswer, PublicNodeAnswer } from './methods/peers.ts';
export type { PoolTransactionAnswer, SpentKeyImageAnswer } from './methods/pool.ts';
export type { TransactionAnswer } from './methods/transactions.ts';
export type {
  MethodAddressKind,
  BinaryPath,
  HandlerInput,
  HandlerOutput,
  JsonPath,
  MethodKey,
  ReplyOf,
  RequestTo,
  RpcName,
} from './types.ts';
export { quoteText } from './wire/escape.ts';
export { echoJson, echoJsonSteps, EchoTooLongError } from './wire/echo-json.ts';
export { parseWireJson, parseWireJsonSteps } from './wire/json-parser.ts';
export { JsonParseError } from './wire/json-scanner.ts';
export { FieldTypeError, readKind, readKindSteps, readTable } from './wire/read.ts';
export { wireText, type WireArray, type WireObject, type WireValue } from './wire/value.ts';
export { RenderedJson, writeJson } from './wire/write-json.ts';
