import { runAtOnce } from '@monero-node/base';
import type {
  TreeCut,
  TreeOutput,
  TreeState,
  TreeStep,
  TreeStore,
} from '@monero-node/storage/memory';

/** Keeps a tree in memory. A step is what a call does, some nanoseconds for an output. */
export class MemoryTreeStore implements TreeStore {
  readonly #states: TreeState[] = [];
  readonly #leaves: TreeOutput[] = [];
  readonly #layers: Uint8Array[][] = [];
  readonly #locked = new Map<bigint, TreeOutput[]>();
  readonly #skipped = new Map<number, readonly TreeOutput[]>();

  indexes(): number {
    return this.#states.length;
  }

  state(index: number): TreeState {
    return found(this.#states[index], `index ${index}`);
  }

  leaves(from: number, to: number): readonly TreeOutput[] {
    if (from < 0 || to > this.#leaves.length) throw new RangeError(`no leaves ${from} to ${to}`);
    return this.#leaves.slice(from, to);
  }

  node(layer: number, place: number): Uint8Array {
    return found(this.#layers[layer]?.[place], `node ${place} of layer ${layer}`);
  }

  *lockedSteps(index: bigint): Generator<undefined, readonly TreeOutput[]> {
    yield;
    return this.#locked.get(index)?.slice() ?? [];
  }

  locked(index: bigint): readonly TreeOutput[] {
    return runAtOnce(this.lockedSteps(index));
  }

  *skippedSteps(index: number): Generator<undefined, readonly TreeOutput[]> {
    this.state(index);
    yield;
    return this.#skipped.get(index) ?? [];
  }

  skipped(index: number): readonly TreeOutput[] {
    return runAtOnce(this.skippedSteps(index));
  }

  *lockSteps(index: bigint, outputs: readonly TreeOutput[]): Generator<undefined, void> {
    yield;
    lockIn(this.#locked, index, outputs);
  }

  *unlockSteps(index: bigint, fromUnifiedId: number): Generator<undefined, void> {
    yield;
    unlockIn(this.#locked, index, fromUnifiedId);
  }

  *pushSteps({ state, leaves, skipped, nodes }: TreeStep): Generator<undefined, void> {
    yield;
    if (skipped.length > 0) this.#skipped.set(this.#states.length, skipped);
    this.#states.push(state);
    for (const leaf of leaves) this.#leaves.push(leaf);
    for (const { layer, from, nodes: run } of nodes) {
      const kept = (this.#layers[layer] ??= []);
      for (const [i, node] of run.entries()) kept[from + i] = node;
    }
  }

  *popSteps({ leaves, nodes, edge }: TreeCut): Generator<undefined, void> {
    yield;
    this.#states.pop();
    this.#skipped.delete(this.#states.length);
    this.#leaves.length = leaves;
    this.#layers.length = nodes.length;
    for (const [layer, count] of nodes.entries()) {
      const kept = found(this.#layers[layer], `layer ${layer}`);
      kept.length = count;
      kept[count - 1] = found(edge[layer], `node of layer ${layer} in the edge`);
    }
  }
}

/** Outputs that wait, by index, each list in the order of unified ids. It is changed in place: many blocks may lock outputs to one index. */
export type Waiting = Map<bigint, TreeOutput[]>;

/** Adds outputs to those that wait for an index. */
export function lockIn(waiting: Waiting, index: bigint, outputs: readonly TreeOutput[]): void {
  if (outputs.length === 0) return;
  const list = waiting.get(index) ?? [];
  waiting.set(index, list);
  for (const output of outputs) list.push(output);
}

/** Removes the outputs that wait for an index and have this unified id or a higher one, as `TreeStore.unlock`. */
export function unlockIn(waiting: Waiting, index: bigint, fromUnifiedId: number): void {
  const list = waiting.get(index) ?? [];
  for (let last = list.at(-1); last !== undefined; last = list.at(-1)) {
    if (last.unifiedId < fromUnifiedId) return;
    list.pop();
  }
  waiting.delete(index);
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RangeError(`no ${what}`);
  return value;
}
