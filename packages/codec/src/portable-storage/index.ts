/**
 * Portable storage: field tables, a reader and a writer. Loads no other part of the package, so that small
 * clients can use it.
 */
export {
  BLOCK_COMPLETE_ENTRY,
  type BlockCompleteEntry,
  type BlockEntryTxs,
  type TxBlobEntry,
} from './block-complete-entry.ts';
export { ByteSink, DocumentTooLargeError, type ByteSinkOptions } from './byte-sink.ts';
export { decodeStorage } from './decode-section.ts';
export { findTopLevel, joinTopLevel, type TopLevelEntry } from './top-level.ts';
export { encodeStorage } from './encode-section.ts';
export {
  EMPTY_TABLE,
  atMost,
  eitherOf,
  f,
  mapped,
  omitDefault,
  optional,
  withDefault,
} from './fields.ts';
export { LEVIN_STORAGE_LIMITS, type StorageLimits, type StorageType } from './format.ts';
export type {
  AnyField,
  ChoiceBy,
  ChoiceKind,
  Field,
  Fields,
  InputOf,
  IntegerKind,
  Kind,
  MappedKind,
  MessageOf,
  OutputOf,
  Presence,
  Table,
  TableRow,
} from './kinds.ts';
export {
  checkedBytes,
  checkedInteger,
  checkedList,
  checkedText,
  chosen,
  CountedList,
  fallbackOf,
  FieldValueError,
  isLazy,
  isLeftOut,
  membersOf,
  ReusedText,
} from './members.ts';
export { DecodeError } from '../errors.ts';
export { encodeMessage } from './message.ts';
export { decodeMessage, defaultsOf, readMessage } from './read.ts';
export type { Reading } from './reading.ts';
export type { StorageItem, StorageSection, StorageValue } from './section.ts';
export { defineTable } from './table.ts';
export { RenderedObject, renderObject } from './put-section.ts';
export { writeStorage } from './write.ts';
export { ITEMS_PER_STEP, type Writing } from './writing.ts';
