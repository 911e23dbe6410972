export { genesisOf, makeBlock, makeBranch } from './block-factory.ts';
export type { BlockChanges, MadeBlock } from './block-factory.ts';
export { makeTransaction } from './make-transaction.ts';
export type { OwnedOutput, TransactionPlan } from './make-transaction.ts';
export {
  recordedBlocks,
  recordedChain as recordedForkChain,
  recordedNetwork,
} from './recorded-blocks.ts';
export {
  expectRecordedTree,
  expectSideTree,
  openRecordedChain,
  recordedSide,
} from './recorded-trees.ts';
export { SpendableChain } from './spendable-chain.ts';
export { bundleOf, EASY, FixedPow, NOW, startTestChain } from './test-chain.ts';
export type { TestChain } from './test-chain.ts';
