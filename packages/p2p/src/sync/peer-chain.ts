import { hasWholeBlock } from '@monero-node/consensus';
import type { SpanQueue } from './span-queue.ts';

/** How far ahead a pruned peer's next whole blocks may lie. */
const LOOK_AHEAD = 4096;

/** Consecutive blocks of a peer's chain. */
export interface BlockRun {
  readonly start: number;
  /** Ids in hex. */
  readonly ids: readonly string[];
  /** Their transactions are wanted without the parts that this node would drop. */
  readonly prune?: boolean;
}

/** Whether the block at a height may come pruned, from a peer whose chain has `peerHeight` blocks. */
export type MayBePruned = (height: number, peerHeight: number) => boolean;

const NEVER: MayBePruned = () => false;

/**
 * The block ids of a peer's last chain entry. It remembers how many of them have entered our
 * chain; ids that are merely being downloaded are never forgotten, so a download that fails
 * elsewhere can be picked up here.
 */
export class PeerChain {
  readonly start: number;
  readonly ids: readonly string[];
  #known = 0;

  constructor(start: number, ids: readonly string[]) {
    this.start = start;
    this.ids = ids;
  }

  get end(): number {
    return this.start + this.ids.length;
  }

  get lastId(): string {
    return this.ids.at(-1) ?? '';
  }

  /** How many of the first ids are in our chain, main or alternative. */
  countKnown(isKnown: (id: string) => boolean): number {
    for (;;) {
      const id = this.ids[this.#known];
      if (id === undefined || !isKnown(id)) return this.#known;
      this.#known++;
    }
  }

  /** The first id that has not entered our chain, as of the last count. */
  get firstUnknown(): string | undefined {
    return this.ids[this.#known];
  }

  /** Whether every id has entered our chain or waits for verification. */
  isDownloaded(queue: SpanQueue): boolean {
    for (let i = this.#known; i < this.ids.length; i++)
      if (queue.filledHeight(this.ids[i] ?? '') === undefined) return false;
    return true;
  }

  /** The id due at a height. */
  idAt(height: number): string | undefined {
    return this.ids[height - this.start];
  }

  /** The first blocks nobody was asked for and the peer can give as they are wanted, at most `limit`. */
  nextRun(
    queue: SpanQueue,
    limit: number,
    peer: { height: number; pruningSeed: number },
    mayBePruned: MayBePruned = NEVER,
  ): BlockRun | undefined {
    const pruned = (i: number): boolean => mayBePruned(this.start + i, peer.height);
    const wanted = (i: number): boolean =>
      !queue.isRequested(this.ids[i] ?? '') &&
      (pruned(i) || hasWholeBlock(this.start + i, peer.height, peer.pruningSeed));
    let first = this.#known;
    while (first < this.ids.length && queue.isRequested(this.ids[first] ?? '')) first++;
    const horizon = Math.min(this.ids.length, first + LOOK_AHEAD);
    while (first < horizon && !wanted(first)) first++;
    if (first >= horizon) return undefined;
    const prune = pruned(first);
    let end = first;
    while (end < this.ids.length && end - first < limit && wanted(end) && pruned(end) === prune)
      end++;
    const ids = this.ids.slice(first, end);
    return { start: this.start + first, ids, ...(prune ? { prune } : {}) };
  }
}
