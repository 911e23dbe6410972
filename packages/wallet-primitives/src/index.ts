export { ProofError, type ProofErrorCode, SeedError, type SeedErrorCode } from './errors.ts';
export { createLanguage, type SeedLanguage } from './seed/language.ts';
export { type DecodedSeed, decodeSeed, encodeSeed } from './seed/seed.ts';
export { createPolyseedLanguage, type PolyseedLanguage } from './polyseed/language.ts';
export type { PolyseedData } from './polyseed/polynomial.ts';
export {
  createPolyseed,
  type CreatePolyseedOptions,
  cryptPolyseed,
  decodePolyseed,
  type DecodePolyseedOptions,
  encodePolyseed,
  isPolyseedEncrypted,
  type PolyseedCoinOptions,
  polyseedKey,
  type PolyseedKeyOptions,
  polyseedTime,
} from './polyseed/polyseed.ts';
export { loadPolyseed, storePolyseed } from './polyseed/storage.ts';
export {
  type Account,
  accountFromAddress,
  accountFromSecrets,
  accountFromSeed,
  accountFromSpendSecret,
  type AddressAccount,
  type ViewAccount,
} from './keys/account.ts';
export {
  type AnyAccount,
  type CarrotAccount,
  carrotAccountFromMasterSecret,
  carrotAccountFromViewBalanceSecret,
  type CarrotBalanceAccount,
  type CarrotViewAccount,
  isCarrotAccount,
} from './keys/carrot-account.ts';
export {
  accountAddress,
  type AccountAddressOptions,
  type SubaddressKeys,
  type SubaddressIndex,
  subaddressKeys,
  subaddressSecret,
  subaddressSpendKeys,
} from './keys/subaddress.ts';
export { type Lookahead, type PrepareOptions, SubaddressTable } from './keys/subaddress-table.ts';
export {
  type CarrotCoinbaseEnote,
  type CarrotEnote,
  coinbaseInputContext,
  type EnoteType,
  inputContext,
} from './carrot/enote.ts';
export { type CarrotExtra, encodeCarrotExtra, readCarrotExtra } from './carrot/extra.ts';
export {
  carrotKeyImages,
  type CarrotOpening,
  carrotOutputSecrets,
  type ImageAccount,
  type OwnCarrotOutput,
} from './carrot/key-image.ts';
export {
  type CarrotDestination,
  type CarrotPayment,
  type CarrotSelfSend,
  type MadeEnote,
  type MadePayment,
  makeCoinbaseEnote,
  makePayment,
  makeSelfSend,
} from './carrot/make-enote.ts';
export {
  type CarrotOutputsOptions,
  type MadeOutputs,
  makeCarrotOutputs,
} from './carrot/outputs.ts';
export {
  type CarrotOutputs,
  CarrotScanner,
  type CarrotScannerOptions,
  type ScannedCarrotOutput,
} from './carrot/scan.ts';
export type { FoundEnote } from './carrot/scan-enote.ts';
export { commitmentMask, cryptAmount } from './scan/amount.ts';
export type { CoinbaseScan, FoundOutput } from './scan/find-outputs.ts';
export { OutputSet, type PlacedOutput } from './scan/output-set.ts';
export { outputKeyImages, outputScalar, outputSecret } from './scan/output-secret.ts';
export { cryptPaymentId, type PaymentId } from './scan/payment-id.ts';
export type { ScannableBlock } from './scan/scan-source.ts';
export {
  type BlockScanResult,
  type ScannedOutput,
  type ScannedTransaction,
  Scanner,
  type ScannerOptions,
} from './scan/scan.ts';
export { type TransactionKeys, transactionKeys } from './scan/transaction-keys.ts';
export { isOutputUnlocked, type UnlockOptions } from './scan/unlock.ts';
export {
  checkMessageSignature,
  type MessageSignature,
  type MessageSignatureOptions,
} from './proofs/message.ts';
export { checkPaymentProof, type PaymentProofOptions } from './proofs/payment.ts';
export {
  checkReserveProof,
  readReserveProof,
  type Reserve,
  type ReserveEntry,
  type ReserveProof,
  type ReserveProofOptions,
} from './proofs/reserve.ts';
export { checkSpendProof, type SpendProofOptions } from './proofs/spend.ts';
