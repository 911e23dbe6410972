export type { FcmpBackend } from './backend/backend.ts';
export {
  createFcmpBackend,
  FCMP_BACKEND_CHOICES,
  type FcmpBackendChoice,
  type FcmpBackendOptions,
} from './choose-backend.ts';
export { emptyNode, hashGrow, hashTrim, nodeAsChild, type NodeChange } from './tree/hash.ts';
export { type ChainOutput, type Leaf, leafOf, leavesOf } from './tree/leaf.ts';
export { HELIOS_WIDTH, LEAF_OUTPUTS, SELENE_WIDTH, type TreeLayers, treeOf } from './tree/root.ts';
export { type FcmpPlusPlus, verifyFcmpPlusPlus, verifyFcmpPlusPlusBatch } from './verify.ts';
