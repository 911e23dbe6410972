export { defineTable } from '@monero-node/codec/portable-storage';
export type {
  Field,
  Fields,
  InputOf,
  IntegerKind,
  Kind,
  OutputOf,
  Presence,
  Table,
} from '@monero-node/codec/portable-storage';
