/**
 * The interface as data, for clients: which methods there are, what they take and give, and how that is
 * written and read.
 */
export { HttpPoster, type HttpPosted } from './client/http-poster.ts';
export type { Login } from './login/digest.ts';
export type { RequestFor, RpcMethod, TypedMethod } from './method.ts';
export { METHODS, type KnownMethod } from './methods/index.ts';
export { ByteSink } from './wire/byte-sink.ts';
export { JsonParseError, parseWireJson } from './wire/json-parser.ts';
export { defineTable, type Field, type Fields, type Kind, type Table } from './wire/kinds.ts';
export { FieldTypeError, readKind } from './wire/read.ts';
export { parseWireStorage } from './wire/storage.ts';
export { wireText, type WireObject, type WireValue } from './wire/value.ts';
export { writeBinary } from './wire/write-binary.ts';
export { writeJson } from './wire/write-json.ts';
export { AnswerShapeError, type Writing } from './wire/write.ts';
