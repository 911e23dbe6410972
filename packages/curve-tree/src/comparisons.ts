import type { CurveTreeRoot } from '@monero-node/codec';
import { bytesEqual } from '@monero-node/codec/bytes';
import { TREE_ROWS_PER_STEP, type TreeOutput, type TreeState } from '@monero-node/storage/memory';

/** Whether two roots are the same. */
export function isSameRoot(a: CurveTreeRoot, b: CurveTreeRoot): boolean {
  return a.layers === b.layers && bytesEqual(a.root, b.root);
}

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
  return a.length === b.length && a.every((output, i) => isSameOutput(output, b[i]));
}

/** Does the same in steps. */
export function* sameOutputsSteps(
  a: readonly TreeOutput[],
  b: readonly TreeOutput[],
): Generator<undefined, boolean> {
  if (a.length !== b.length) return false;
  for (const [i, output] of a.entries()) {
    if (i > 0 && i % TREE_ROWS_PER_STEP === 0) yield;
    if (!isSameOutput(output, b[i])) return false;
  }
  return true;
}

function isSameOutput(
  { unifiedId, kind, key, commitment }: TreeOutput,
  other: TreeOutput | undefined,
): boolean {
  return (
    unifiedId === other?.unifiedId &&
    kind === other.kind &&
    bytesEqual(key, other.key) &&
    bytesEqual(commitment, other.commitment)
  );
}
