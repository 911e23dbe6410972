import { Worker } from 'node:worker_threads';
import { guardEmitter, MachineError, type PoolWorker, WorkerPool } from '@monero-node/base';
import { type ChainOutput, LEAF_ELEMENTS } from '@monero-node/fcmp';
import type { BottomGrowth } from '../growth.ts';
import { MONERO_SHAPE } from '../shape.ts';
import {
  joined,
  type LeavesAnswer,
  type LeavesJob,
  nodesAbove,
  type NodesAnswer,
  type NodesJob,
  packOutputs,
  piecesOf,
  type TreeAnswer,
  type TreeJob,
} from './tree-jobs.ts';

/** Outputs of a job: some 20 ms with native code, so that what is sent costs little beside it. */
const JOB_OUTPUTS = 256;
/** Leaves of a job, whole nodes of them: as long. */
const JOB_LEAVES = 8 * MONERO_SHAPE.leaves;
const LEAF_BYTES = 32 * LEAF_ELEMENTS;

/** Where the lowest layer of a tree ends. */
export interface BottomEnd {
  readonly leaves: number;
  /** Its last node, 32 bytes; undefined without leaves. */
  readonly node: Uint8Array | undefined;
}

/** What threads make of the blocks that they were given. Both reject with MachineError when threads crash again and again, and when they are ended. */
export interface PendingGrowth {
  /** One for each block, in order. */
  readonly bottoms: Promise<readonly BottomGrowth[]>;
  /** Where the next blocks begin. */
  readonly end: Promise<BottomEnd>;
}

export interface TreeThreadsDependencies {
  /** Starts a worker; by default one of the compiled package. */
  readonly startWorker?: () => PoolWorker;
}

/**
 * Grows the lowest layer of a tree on threads: nearly all of the arithmetic, of which each node depends on nothing but its leaves. The layers above
 * are grown with `growthAboveSteps`. A worker that dies is replaced, and its job done once more.
 */
export class TreeThreads {
  readonly #pool: WorkerPool<TreeJob, TreeAnswer>;

  /** Throws RangeError unless `threads` is a positive integer. */
  constructor(
    options: { readonly threads: number },
    { startWorker = startThread }: TreeThreadsDependencies = {},
  ) {
    this.#pool = new WorkerPool(options, {
      startWorker,
      createError: (failure, cause) => new MachineError(`curve tree: ${failure}`, { cause }),
    });
  }

  get threads(): number {
    return this.#pool.threads;
  }

  /**
   * Begins to grow by consecutive blocks. Leaves are made at once, nodes when it is known where they begin: so give the next blocks before the
   * answer for these has come, but not more than memory is to hold, 400 bytes for an output.
   *
   * @param blocks for each the outputs that enter with it, in order
   * @param after where the blocks before end
   */
  grow(
    blocks: readonly (readonly ChainOutput[])[],
    after: Promise<BottomEnd> | BottomEnd,
  ): PendingGrowth {
    const outputs = blocks.flat();
    const leaves: Promise<LeavesAnswer>[] = [];
    for (let at = 0; at < outputs.length; at += JOB_OUTPUTS)
      leaves.push(this.#leavesOf(packOutputs(outputs.slice(at, at + JOB_OUTPUTS))));
    const grown = this.#bottoms(blocks, Promise.all(leaves), after);
    const [bottoms, end] = [grown.then((all) => all.bottoms), grown.then((all) => all.end)];
    // Whoever waits for one of them is told; the other may have nobody who waits.
    for (const promise of [bottoms, end]) promise.catch(() => undefined);
    return { bottoms, end };
  }

  async #bottoms(
    blocks: readonly (readonly ChainOutput[])[],
    pending: Promise<readonly LeavesAnswer[]>,
    after: Promise<BottomEnd> | BottomEnd,
  ): Promise<{ bottoms: readonly BottomGrowth[]; end: BottomEnd }> {
    const [leaves, before] = await Promise.all([pending, after]);
    const hasLeaf = joined(leaves.map((answer) => answer.hasLeaf));
    const elements = joined(leaves.map((answer) => answer.elements));
    const bottoms: { hasLeaf: boolean[]; nodes: Uint8Array[] }[] = [];
    const ends: number[] = [];
    let [at, end] = [0, before.leaves];
    for (const { length } of blocks) {
      const own = Array.from(hasLeaf.subarray(at, at + length), (has) => has === 1);
      end += own.filter(Boolean).length;
      at += length;
      bottoms.push({ hasLeaf: own, nodes: [] });
      ends.push(end);
    }
    await this.#addNodes(bottoms, ends, before, elements);
    const node = bottoms.findLast(({ nodes }) => nodes.length > 0)?.nodes.at(-1) ?? before.node;
    return { bottoms, end: { leaves: end, node } };
  }

  /** Cuts leaves between nodes, and adds what the threads make of each part to the blocks. */
  async #addNodes(
    bottoms: readonly { readonly nodes: Uint8Array[] }[],
    ends: readonly number[],
    { leaves: first, node }: BottomEnd,
    elements: Uint8Array,
  ): Promise<void> {
    const jobs: Promise<{ readonly parts: readonly Part[]; readonly nodes: Uint8Array[] }>[] = [];
    const last = ends.at(-1) ?? first;
    for (let from = first; from < last;) {
      const to = Math.min(last, (Math.floor(from / JOB_LEAVES) + 1) * JOB_LEAVES);
      const parts = partsOf(ends, from, to);
      const answer = this.#nodesOf({
        kind: 'nodes',
        first: from,
        node: from === first ? node : undefined,
        ends: parts.map((part) => part.to),
        elements: elements.slice(LEAF_BYTES * (from - first), LEAF_BYTES * (to - first)),
      });
      jobs.push(answer.then(({ nodes }) => ({ parts, nodes: piecesOf(nodes) })));
      from = to;
    }
    for (const { parts, nodes } of await Promise.all(jobs)) {
      for (const { block, from, to } of parts)
        bottoms[block]?.nodes.push(...nodes.splice(0, nodesAbove(from, to)));
    }
  }

  async #leavesOf(job: LeavesJob): Promise<LeavesAnswer> {
    const answer = await this.#pool.run(job);
    if ('hasLeaf' in answer) return answer;
    throw new Error('a thread answers a job for leaves with nodes');
  }

  async #nodesOf(job: NodesJob): Promise<NodesAnswer> {
    const answer = await this.#pool.run(job);
    if ('nodes' in answer) return answer;
    throw new Error('a thread answers a job for nodes with leaves');
  }

  /** Ends the threads and rejects what they have not answered. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Leaves of one block in a job. */
interface Part {
  readonly block: number;
  readonly from: number;
  readonly to: number;
}

function partsOf(ends: readonly number[], from: number, to: number): Part[] {
  const parts: Part[] = [];
  let at = from;
  for (const [block, end] of ends.entries()) {
    if (at >= to) break;
    if (end <= at) continue;
    parts.push({ block, from: at, to: Math.min(end, to) });
    at = Math.min(end, to);
  }
  return parts;
}

function startThread(): PoolWorker {
  const url = new URL(import.meta.resolve('@monero-node/curve-tree/worker'));
  return guardEmitter(new Worker(url, { execArgv: [] }));
}
