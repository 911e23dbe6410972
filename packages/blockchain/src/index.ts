export type { Blockchain } from './blockchain.ts';
export type { BlockchainDependencies, BlockchainOptions } from './options.ts';
export { openBlockchain } from './open.ts';
export { isInChain, sideBlock, type SideBlock } from './query/side-blocks.ts';
export { FollowedChain, type FollowedChainOptions } from './followed-chain.ts';
export type {
  AddBlockOptions,
  AddBlockResult,
  AddedBlock,
  AddSpanOptions,
  BlockBundle,
  ChainEvents,
  IncomingBlock,
  CompleteBlock,
  SpanResult,
  VerificationCounters,
  WorkClient,
} from './types.ts';
export type {
  CheckedTransaction,
  InputCheck,
  Stranger,
  TransactionVerifier,
} from './verify/transaction-verifier.ts';
export { hasUnreadableCommitment, hasUnreadableKeyImage } from './verify/unreadable-points.ts';
export {
  bytesToParse,
  parseBundle,
  parseTransactions,
  tryParseBlock,
} from './verify/parse-bundle.ts';
export { WorkDeclinedError, type DeclinedReason } from './verify/work-queue.ts';
export { powRequestOf, type PowInput } from './verify/pow-request.ts';
export { parseRun } from './verify/parse-run.ts';
export type { ParsedRun } from './verify/parse-run.ts';
export type { OfferedIds } from './verify/precomputed-hashes.ts';
export type { Verification } from './verify/verified-transactions.ts';
export { BlockTemplates } from './template/block-templates.ts';
export type { BlockTemplatesDependencies } from './template/block-templates.ts';
export { findNonce, minedBlock, templateSearch } from './template/template-search.ts';
export { TemplateError, type TemplateErrorCode } from './template/template-types.ts';
export type {
  BlockTemplate,
  ChosenTransactions,
  TemplateFrame,
  TemplateRequest,
  TransactionSource,
} from './template/template-types.ts';
export {
  EMPTY_TREE,
  NO_TREE,
  treeFieldAt,
  type TreePlace,
  type TreeRoots,
} from './view/tree-roots.ts';
export { loadTreeRoots, type TreeOfChain } from './view/tree/load-tree.ts';
export type { LockedOutputs, TreeOutputPlace, TreeOutputs } from './view/tree-outputs.ts';
export {
  verifyStored,
  type StoredFault,
  type VerifiedStep,
  type VerifyStoredOptions,
} from './verify/verify-stored.ts';
export { mineBlock, type MineBlockOptions, type MinedBlock } from './template/mine-block.ts';
export { rebuildRecord, StoredBlockError, type RebuildContext } from './verify/rebuild-record.ts';
export { verifyTree } from './verify/verify-tree.ts';
export type {
  TreeFault,
  TreeRowCounts,
  TreeSource,
  VerifyTreeOptions,
} from './verify/tree-faults.ts';
