import { bytesEqual } from '@monero-node/codec/bytes';
import type { TreeOutput, TreeState } from '@monero-node/storage/memory';

/** Whether two states are the same. */
export function isSameState(a: TreeState, b: TreeState): boolean {
  if (a === b) return true;
  return (
    a.leaves === b.leaves &&
    a.outputs === b.outputs &&
    a.edge.length === b.edge.length &&
    a.edge.every((node, layer) => bytesEqual(node, b.edge[layer] as Uint8Array))
  );
}

/** Whether two lists have the same outputs in the same order. */
export function areSameOutputs(a: readonly TreeOutput[], b: readonly TreeOutput[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ unifiedId, kind, key, commitment }, i) => {
      const other = b[i];
      return (
        unifiedId === other?.unifiedId &&
        kind === other.kind &&
        bytesEqual(key, other.key) &&
        bytesEqual(commitment, other.commitment)
      );
    })
  );
}
