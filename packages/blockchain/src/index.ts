export { Blockchain } from './blockchain.ts';
export type { BlockchainDependencies, BlockchainOptions } from './blockchain.ts';
export type {
  AddBlockResult,
  AddedBlock,
  BlockBundle,
  ChainEvents,
  ParsedBundle,
  SpanResult,
  VerificationCounters,
} from './types.ts';
export type {
  CheckedTransaction,
  InputCheck,
  TransactionVerifier,
} from './transaction-verifier.ts';
export type { OfferedIds } from './known-blocks.ts';
export type { Verification } from './verified-transactions.ts';
export { BlockTemplates } from './templates.ts';
export type { BlockTemplatesDependencies } from './templates.ts';
export { minedBlock, templateSearch } from './template-search.ts';
export { TemplateError } from './template-types.ts';
export type {
  BlockTemplate,
  ChosenTransactions,
  TemplateFrame,
  TemplateRequest,
  TransactionSource,
} from './template-types.ts';
