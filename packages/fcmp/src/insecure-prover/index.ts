/**
 * Proves that outputs of a tree are spent, for coins without value on private chains. Its time depends on the secrets, so that others may learn
 * them. No node loads it.
 */
export { proveFcmpPlusPlus, type ProveOptions, type SpentLeaf } from './prove.ts';
export { withTorsion } from './prove-spend.ts';
export type { NumberSource } from './random.ts';
export { type PathSource, type TreePath, treePath } from './tree-path.ts';
