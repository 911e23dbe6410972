import { HELIOS_WIDTH, LEAF_OUTPUTS, SELENE_WIDTH } from '@monero-node/fcmp';
import { MAX_LAYERS } from '@monero-node/codec/fcmp-proof-size';

/** How many children the nodes of each kind of layer have. */
export interface TreeShape {
  /** Outputs of a node above the leaves, on Selene. */
  readonly leaves: number;
  /** Children of a node on Helios: of the second, fourth, … layer. */
  readonly helios: number;
  /** Children of a node on Selene: of the third, fifth, … layer. */
  readonly selene: number;
}

/** Monero's. */
export const MONERO_SHAPE: TreeShape = {
  leaves: LEAF_OUTPUTS,
  helios: HELIOS_WIDTH,
  selene: SELENE_WIDTH,
};

/** Returns the curve of a layer. */
export function curveOf(layer: number): 'Helios' | 'Selene' {
  return layer % 2 === 0 ? 'Selene' : 'Helios';
}

/** Returns the most children of a node of a layer above the first. */
export function widthOf(shape: TreeShape, layer: number): number {
  return layer % 2 === 0 ? shape.selene : shape.helios;
}

/**
 * Returns how many nodes each layer over so many leaves has, that above the leaves first; the last one has one. Throws RangeError for more
 * than 12 layers.
 */
export function nodesOf(shape: TreeShape, leaves: number): number[] {
  if (leaves === 0) return [];
  const counts = [Math.ceil(leaves / shape.leaves)];
  for (let below = counts[0] as number; below > 1;) {
    below = Math.ceil(below / widthOf(shape, counts.length));
    counts.push(below);
  }
  if (counts.length > MAX_LAYERS) throw new RangeError(`a tree of ${counts.length} layers`);
  return counts;
}
