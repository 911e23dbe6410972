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
  FcmpProof,
  Mlsag,
  ParsedTransaction,
  RangeSig,
  RctBase,
  RctPrunable,
  RctType,
  Transaction,
  TransactionParts,
  TxInput,
  TxOutput,
  TxTarget,
} from './transaction/types.ts';
export type { Block, BlockHeader, CurveTreeRoot, ParsedBlock } from './block/types.ts';
export { FIRST_TREE_VERSION, type Formats } from './formats.ts';
export { FCMP_TYPE } from './transaction/ringct.ts';

export * from './portable-storage/index.ts';

export {
  encodeTransaction,
  parsePrunedTransaction,
  parseTransaction,
  parseTransactionLazily,
} from './transaction/transaction.ts';
export { absoluteOffsets } from './transaction/key-offsets.ts';
export { keyImagesOf, outputKey } from './transaction/read-transaction.ts';
export {
  OutlinedTransactions,
  outlineTransactions,
  type OutlinedPackage,
  type TransactionBytes,
  type TransactionOutliner,
  type TransactionOutlines,
} from './transaction/outlines.ts';
export { partsOf } from './transaction/parts.ts';
export { outlineTransaction, type TransactionOutline } from './transaction/outline.ts';
export {
  outlineMinerTransaction,
  blockHashingBlob,
  blockId,
  encodeBlock,
  parseBlock,
  parseBlockHeader,
  parseBlockSteps,
} from './block/block.ts';
export { rctSignatureMessage } from './transaction/hashed-transaction.ts';
export { encodeTxExtra, parseTxExtra, type TxExtraField } from './transaction/tx-extra.ts';
export { ExtraNonceBlock } from './block/extra-nonce-block.ts';
export { withoutHugeNumbers } from './block/huge-numbers.ts';
export { hashingBlobHash } from './block/hashed-block.ts';
export {
  BOOTSTRAP_HEADER_BYTES,
  decodeBootstrapHeader,
  encodeBootstrapHeader,
  type BootstrapHeader,
  decodeBootstrapBlock,
  decodeBootstrapPackage,
  encodeBootstrapPackage,
  MAX_BOOTSTRAP_PACKAGE,
  type BootstrapPackage,
  type ParsedBootstrapPackage,
} from './bootstrap-file/bootstrap-file.ts';
export {
  outlinedPackages,
  outlinePackages,
  type PackageOutlines,
} from './bootstrap-file/package-outlines.ts';
export { treeHash } from './block/tree-hash.ts';
export {
  ADDRESS_NETWORKS,
  ADDRESS_PREFIXES,
  formatAddress,
  parseAddress,
  type Address,
  type AddressKind,
  type AddressNetwork,
} from './address/address.ts';
export { decodeBase58, encodeBase58 } from './address/base58.ts';

export {
  transactionToJson,
  type TransactionJsonOptions,
  transactionToObject,
} from './transaction/transaction-json.ts';
export { blockToJson, blockToObject } from './block/block-json.ts';
export type { JsonObject, JsonValue } from './json/json-parser.ts';
export { parseJson64, parseJson64Steps, stringifyJson64 } from './json/json64.ts';
