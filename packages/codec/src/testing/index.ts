export { countParses, type Parses } from './count-parses.ts';
export {
  applyEdits,
  readNextFork,
  readNextForkChanged,
  type ChangedBlock,
  type ChangedTransaction,
  type NextForkBlock,
  type NextForkChain,
  type NextForkTransaction,
  recordedTrees,
  wideBlob,
} from './next-fork.ts';
export { unlessRefused } from './unless-refused.ts';
