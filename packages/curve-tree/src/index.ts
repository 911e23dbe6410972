export { type BlockAddition, CurveTree, type CurveTreeOptions } from './curve-tree.ts';
export {
  type BottomGrowth,
  edgeOf,
  growByOutputs,
  growEdge,
  type Growth,
  growthAboveSteps,
  growthSteps,
  type OutputGrowth,
  type TreeBefore,
} from './growth.ts';
export {
  createTreeHasher,
  type GrowthPieces,
  REFERENCE_HASHER,
  type TreeHasher,
  type TreeHasherOptions,
} from './hasher.ts';
export { areSameOutputs, isSameRoot, isSameState } from './comparisons.ts';
export { outputsOfIndex } from './entered.ts';
export { MemoryTreeStore } from './memory-store.ts';
export {
  entriesOf,
  lastLockedIndex,
  type ScheduledBlock,
  type ScheduledOutput,
  scheduleOf,
  type ScheduleOptions,
  scheduleSteps,
  TIME_LOCK_ANCHOR,
  type TimeLockAnchor,
} from './schedule.ts';
export { NewestIndex } from './newest-index.ts';
export { MONERO_SHAPE, nodesOf, type TreeShape, widthOf } from './shape.ts';
export type {
  NodeRun,
  TreeCut,
  TreeOutput,
  TreeReader,
  TreeState,
  TreeStep,
  TreeStore,
} from '@monero-node/storage/memory';
export { type LeafPath, TreePaths } from './tree-paths.ts';
export { rootOf, TreeRootReader } from './tree-root-reader.ts';
export { TreeView } from './tree-view.ts';
