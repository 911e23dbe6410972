export { DecodeError } from './errors.ts';
export { bytesEqual, compareBytes, concatBytes, fromHex, toHex } from './bytes.ts';
export { ByteReader } from './byte-reader.ts';
export { ByteWriter } from './byte-writer.ts';
export { encodeVarint, varintSize } from './varint.ts';

export type {
  Bulletproof,
  BulletproofPlus,
  Clsag,
  EcdhInfo,
  Mlsag,
  ParsedTransaction,
  RangeSig,
  RctBase,
  RctPrunable,
  RctType,
  Transaction,
  TxInput,
  TxOutput,
  TxTarget,
} from './transaction/types.ts';
export type { Block, BlockHeader, ParsedBlock } from './block/types.ts';

export * from './portable-storage/index.ts';

export {
  encodeTransaction,
  outputKey,
  parsePrunedTransaction,
  parseTransaction,
} from './transaction/transaction.ts';
export { outlineTransaction, type TransactionOutline } from './transaction/outline.ts';
export { outlineMinerTransaction } from './block/outline.ts';
export { keyImagesOf } from './transaction/key-images.ts';
export { rctSignatureMessage } from './transaction/rct-message.ts';
export { encodeTxExtra, parseTxExtra, type TxExtraField } from './transaction/tx-extra.ts';
export {
  blockHashingBlob,
  blockId,
  encodeBlock,
  parseBlock,
  parseBlockHeader,
  parseBlockSteps,
} from './block/block.ts';
export { withoutHugeNumbers } from './block/huge-numbers.ts';
export { hashingBlobHash } from './block/block-id.ts';
export {
  BOOTSTRAP_HEADER_BYTES,
  decodeBootstrapHeader,
  encodeBootstrapHeader,
  type BootstrapHeader,
} from './bootstrap-file/header.ts';
export {
  decodeBootstrapBlock,
  decodeBootstrapPackage,
  encodeBootstrapPackage,
  MAX_BOOTSTRAP_PACKAGE,
  type BootstrapPackage,
  type ParsedBootstrapPackage,
} from './bootstrap-file/package.ts';
export { treeHash } from './block/tree-hash.ts';
export {
  ADDRESS_PREFIXES,
  formatAddress,
  parseAddress,
  type Address,
  type AddressKind,
  type AddressNetwork,
} from './address/address.ts';
export { decodeBase58, encodeBase58 } from './address/base58.ts';

export { transactionToJson } from './json/transaction-json.ts';
export { blockToJson } from './json/block-json.ts';
export { blockToObject, transactionToObject } from './json/to-object.ts';
export type { JsonObject, JsonValue } from './json/json-value.ts';
export { parseJson64, parseJson64Steps, stringifyJson64 } from './json/json64.ts';
