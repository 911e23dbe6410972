export { Blockchain } from './blockchain.ts';
export type { BlockchainDependencies, BlockchainOptions } from './blockchain.ts';
export type {
  AddBlockOptions,
  AddBlockResult,
  AddedBlock,
  BlockBundle,
  ChainEvents,
  IncomingBlock,
  ParsedBundle,
  SpanResult,
  VerificationCounters,
} from './types.ts';
export type {
  CheckedTransaction,
  InputCheck,
  TransactionVerifier,
} from './transaction-verifier.ts';
export { parseBundle, parseTransactions } from './parse-bundle.ts';
export { parseRun } from './parse-run.ts';
export type { ParsedRun } from './parse-run.ts';
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
