import {
  emptyNode,
  hashGrow,
  HELIOS_WIDTH,
  LEAF_OUTPUTS,
  NO_CHILD,
  nodeAsChild,
  SELENE_WIDTH,
} from './hash.ts';
import type { Leaf } from './leaf.ts';

/** A whole tree: the nodes of each layer, 32 bytes each, those of the leaves' chunks first and the root last. */
export type TreeLayers = readonly (readonly Uint8Array[])[];

/**
 * Returns the nodes over leaves in the order of the tree: chunks of 38 outputs on Selene, then 18 nodes to one on Helios, 38
 * to one on Selene, and so on until one is left. No leaves make no layers. Computes everything anew.
 */
export function treeOf(leaves: readonly Leaf[]): TreeLayers {
  const layers: Uint8Array[][] = [];
  if (leaves.length === 0) return layers;
  layers.push(
    chunksOf(leaves, LEAF_OUTPUTS).map((chunk) =>
      nodeOf(
        'Selene',
        chunk.flatMap(({ elements }) => elements),
      ),
    ),
  );
  for (let below = layers[0] as Uint8Array[]; below.length > 1;) {
    const isOnSelene = layers.length % 2 === 0;
    const chunks = chunksOf(below.map(nodeAsChild), isOnSelene ? SELENE_WIDTH : HELIOS_WIDTH);
    below = chunks.map((children) => nodeOf(isOnSelene ? 'Selene' : 'Helios', children));
    layers.push(below);
  }
  return layers;
}

function nodeOf(curve: 'Helios' | 'Selene', children: readonly Uint8Array[]): Uint8Array {
  return hashGrow({ curve, node: emptyNode(curve), offset: 0, childAtOffset: NO_CHILD, children });
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.slice(i * size, (i + 1) * size),
  );
}
