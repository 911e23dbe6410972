import { type ChainOutput, createTreeArithmetic, LEAF_ELEMENTS } from '@monero-node/fcmp';
import { changesAboveLeaves } from '../growth.ts';
import { MONERO_SHAPE } from '../shape.ts';

// What is sent to the threads that grow the lowest layer of a tree, and what they answer: few arrays, as each costs more than its bytes.

const BYTES = 32;
const ELEMENT_BYTES = LEAF_ELEMENTS * BYTES;
const KINDS = ['legacy', 'carrot'] as const;

/** Outputs of which the leaves are to be made. */
export interface LeavesJob {
  readonly kind: 'leaves';
  /** Key and commitment of each, 32 bytes each. */
  readonly points: Uint8Array;
  /** 0 for each legacy output, 1 for each of Carrot. */
  readonly kinds: Uint8Array;
}

export interface LeavesAnswer {
  /** 1 for each output that has a leaf, 0 for the others. */
  readonly hasLeaf: Uint8Array;
  /** 192 bytes for each output that has one. */
  readonly elements: Uint8Array;
}

/** Leaves, of several blocks, above which the nodes are to be made. */
export interface NodesJob {
  readonly kind: 'nodes';
  /** Place of the first in the tree. */
  readonly first: number;
  /** The node above it before, 32 bytes; not read when the leaf is the first of its node. */
  readonly node: Uint8Array | undefined;
  /** The place behind the last leaf of each block, in ascending order; none twice. */
  readonly ends: readonly number[];
  /** 192 bytes for each leaf. */
  readonly elements: Uint8Array;
}

export interface NodesAnswer {
  /** For each block the nodes that its leaves have changed, 32 bytes each, all in one array. */
  readonly nodes: Uint8Array;
}

export type TreeJob = LeavesJob | NodesJob;
export type TreeAnswer = LeavesAnswer | NodesAnswer;

/** Returns how many nodes above the leaves are changed by the leaves from one place up to another, exclusive. */
export function nodesAbove(from: number, to: number): number {
  const width = MONERO_SHAPE.leaves;
  return from === to ? 0 : Math.ceil(to / width) - Math.floor(from / width);
}

/** Throws RangeError for an output whose key or commitment has not 32 bytes. */
export function packOutputs(outputs: readonly ChainOutput[]): LeavesJob {
  const points = new Uint8Array(2 * BYTES * outputs.length);
  const kinds = new Uint8Array(outputs.length);
  for (const [i, { key, commitment, kind }] of outputs.entries()) {
    if (key.length !== BYTES || commitment.length !== BYTES)
      throw new RangeError('key and commitment of an output have 32 bytes');
    points.set(key, 2 * BYTES * i);
    points.set(commitment, 2 * BYTES * i + BYTES);
    kinds[i] = KINDS.indexOf(kind);
  }
  return { kind: 'leaves', points, kinds };
}

/** Returns the pieces of an array, as views: of 32 bytes each when no size is given. */
export function piecesOf(bytes: Uint8Array, size = BYTES): Uint8Array[] {
  return Array.from({ length: bytes.length / size }, (_, i) =>
    bytes.subarray(size * i, size * (i + 1)),
  );
}

/** Joins arrays of any number of bytes in a new one. */
export function joined(arrays: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

/** Returns what answers jobs, with the fastest arithmetic of this machine. */
export function answerTreeJobs(): (job: TreeJob) => TreeAnswer {
  const arithmetic = createTreeArithmetic();

  function leavesOf({ points, kinds }: LeavesJob): LeavesAnswer {
    const outputs = piecesOf(points, 2 * BYTES).map((both, i): ChainOutput => ({
      key: both.subarray(0, BYTES),
      commitment: both.subarray(BYTES),
      kind: kinds[i] === 0 ? 'legacy' : 'carrot',
    }));
    const leaves = arithmetic.leavesOf(outputs);
    return {
      hasLeaf: Uint8Array.from(leaves, (leaf) => (leaf === undefined ? 0 : 1)),
      elements: joined(leaves.flatMap((leaf) => leaf?.elements ?? [])),
    };
  }

  function nodesOf({ first, node, ends, elements }: NodesJob): NodesAnswer {
    const nodes: Uint8Array[] = [];
    let [leaves, edge] = [first, node];
    for (const end of ends) {
      const own = elements.subarray(
        ELEMENT_BYTES * (leaves - first),
        ELEMENT_BYTES * (end - first),
      );
      const before = { leaves, edge: edge === undefined ? [] : [edge] };
      nodes.push(...arithmetic.grow(changesAboveLeaves(MONERO_SHAPE, before, piecesOf(own)).nodes));
      [leaves, edge] = [end, nodes.at(-1)];
    }
    return { nodes: joined(nodes) };
  }

  return (job) => (job.kind === 'leaves' ? leavesOf(job) : nodesOf(job));
}
