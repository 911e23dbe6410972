// Computes the root of a stored tree anew from some of its leaves.
import { MONERO_SHAPE, TreePaths, widthOf } from '@monero-node/curve-tree';
import { emptyNode, NO_CHILD, nodeAsChild } from '@monero-node/fcmp';
import { present } from '../values.mjs';

/** @import { ChainStore } from '@monero-node/storage' */
/** @import { LeafPath, TreeHasher } from '@monero-node/curve-tree' */

/**
 * Throws Error when a node above one of the leaves is not the hash of what is below it, up to the root.
 *
 * @param {ChainStore} store
 * @param {TreeHasher} hasher
 * @param {Iterable<number>} places
 */
export function checkPaths(store, hasher, places) {
  const paths = new TreePaths(store.tree, store.tree.indexes() - 1);
  for (const place of places) checkPath(paths.pathAt(place), hasher);
}

/**
 * @param {LeafPath} path
 * @param {TreeHasher} hasher
 */
function checkPath({ place, leaves, layers }, hasher) {
  let children = hasher.leavesOf(leaves).flatMap((leaf) => present(leaf).elements);
  let at = Math.floor(place / MONERO_SHAPE.leaves);
  for (const [layer, nodes] of layers.entries()) {
    const across = widthOf(MONERO_SHAPE, layer + 1);
    const curve = layer % 2 === 0 ? 'Selene' : 'Helios';
    const computed = hashOf(hasher, curve, children);
    if (Buffer.compare(computed, present(nodes[at % across])) !== 0)
      throw new Error(`layer ${layer} above leaf ${place} is not the hash of what is below it`);
    children = nodes.map(nodeAsChild);
    at = Math.floor(at / across);
  }
}

/**
 * Returns the node over all its children.
 *
 * @param {TreeHasher} hasher
 * @param {'Helios' | 'Selene'} curve
 * @param {readonly Uint8Array[]} children
 */
function hashOf(hasher, curve, children) {
  const change = { curve, node: emptyNode(curve), offset: 0, childAtOffset: NO_CHILD, children };
  return present(hasher.grow([change])[0]);
}
