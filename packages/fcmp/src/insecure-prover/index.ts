/**
 * Proves that outputs of a tree are spent, for coins without value on private chains. Its time depends on the secrets, so that others may learn
 * them. No node loads it.
 */
export { proveFcmpPlusPlus, type ProveOptions, type SpentLeaf } from './prove.ts';
export { type NumberSource, withTorsion } from './prove-spend.ts';
export { type PathSource, type TreePath, treePath } from './tree-path.ts';
