export {
  EMPTY_TABLE,
  eitherOf,
  f,
  omitDefault,
  optional,
  withDefault,
} from '@monero-node/codec/portable-storage';
