export type { FcmpBackend } from './backend/backend.ts';
export {
  createFcmpBackend,
  FCMP_BACKEND_CHOICES,
  type FcmpBackendChoice,
  type FcmpBackendOptions,
} from './choose-backend.ts';
export { emptyNode, hashGrow, hashTrim, nodeAsChild, type NodeChange } from './tree/hash.ts';
export { type ChainOutput, type Leaf, leafOf } from './tree/leaf.ts';
export { type TreeLayers, treeOf } from './tree/root.ts';
export { type FcmpPlusPlus, verifyFcmpPlusPlus, verifyFcmpPlusPlusBatch } from './verify.ts';
