import { toHex } from '@monero-node/codec';
import { nodesOf, type TreeShape } from '../shape.ts';
import type { TreeOutput, TreeReader } from '@monero-node/storage/memory';

/** Returns all that a tree keeps, to compare it. `last` is the highest index for which outputs wait. */
export function contentsOf(tree: TreeReader, shape: TreeShape, last: number): unknown {
  const indexes = tree.indexes();
  const states = Array.from({ length: indexes }, (_, i) => tree.state(i));
  const leaves = states.at(-1)?.leaves ?? 0;
  const waiting = Array.from({ length: Math.max(0, last + 1 - indexes) }, (_, i) => i + indexes);
  return {
    states: states.map((state) => ({ ...state, edge: state.edge.map(toHex) })),
    leaves: tree.leaves(0, leaves).map(plain),
    nodes: nodesOf(shape, leaves).map((count, layer) =>
      Array.from({ length: count }, (_, place) => toHex(tree.node(layer, place))),
    ),
    skipped: states.map((_, i) => tree.skipped(i).map(plain)),
    locked: waiting.map((index) => [index, tree.locked(BigInt(index)).map(plain)]),
  };
}

function plain({ unifiedId, kind, key, commitment }: TreeOutput): unknown[] {
  return [unifiedId, kind, toHex(key), toHex(commitment)];
}
