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
export {
  decodeStorage,
  findTopLevel,
  joinTopLevel,
  type TopLevelEntry,
  encodeStorage,
  type StorageItem,
  type StorageSection,
  type StorageValue,
} from './section.ts';
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
export { fixedForm, type FixedForm } from './fixed-form.ts';
export { LEVIN_STORAGE_LIMITS, type StorageLimits, type StorageType } from './format.ts';
export {
  type AnyField,
  type ChoiceBy,
  type ChoiceKind,
  type Field,
  type Fields,
  type InputOf,
  type IntegerKind,
  type Kind,
  type MappedKind,
  type MessageOf,
  type OutputOf,
  type Presence,
  type Table,
  type TableRow,
  defineTable,
} from './table.ts';
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
  RenderedList,
  ReusedText,
} from './field-values.ts';
export { DecodeError } from '../errors.ts';
export {
  encodeMessage,
  RenderedObject,
  renderObject,
  writeStorage,
  ITEMS_PER_STEP,
  type Writing,
} from './write.ts';
export { decodeMessage, defaultsOf, readMessage } from './read.ts';
export type { Reading } from './cursor.ts';
