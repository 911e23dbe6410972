export type { FcmpBackend } from './backend/backend.ts';
export {
  createFcmpBackend,
  FCMP_BACKEND_CHOICES,
  type FcmpBackendChoice,
  type FcmpBackendOptions,
} from './choose-backend.ts';
export { createTreeArithmetic, type TreeArithmeticOptions } from './choose-tree-arithmetic.ts';
export { REFERENCE_TREE_ARITHMETIC, type TreeArithmetic } from './tree/arithmetic.ts';
export {
  emptyNode,
  hashGrow,
  hashTrim,
  HELIOS_WIDTH,
  LEAF_ELEMENTS,
  LEAF_OUTPUTS,
  NO_CHILD,
  nodeAsChild,
  type NodeChange,
  SELENE_WIDTH,
} from './tree/hash.ts';
export { type ChainOutput, type Leaf, leafOf, leavesOf } from './tree/leaf.ts';
export { type TreeLayers, treeOf } from './tree/root.ts';
export { createFcmpVerifier } from './verifier.ts';
export { type FcmpPlusPlus, verifyFcmpPlusPlus, verifyFcmpPlusPlusBatch } from './verify.ts';
