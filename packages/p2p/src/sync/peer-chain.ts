import { hasWholeBlock } from '@monero-node/consensus';
import type { SpanQueue } from './span-queue.ts';

/** Blocks ahead in which the next whole block of a pruned peer is looked for. */
const LOOK_AHEAD = 4096;

/** Consecutive blocks of a peer's chain. */
export interface BlockRun {
  readonly start: number;
  /** Ids in hex. */
  readonly ids: readonly string[];
  /** The blocks are wanted without prunable data. */
  readonly prune?: boolean;
}

/** Whether the block at a height may be downloaded pruned from a peer whose chain has `peerHeight` blocks. */
export type MayBePruned = (height: number, peerHeight: number) => boolean;

const NEVER: MayBePruned = () => false;

/**
 * The block ids of a peer's last chain entry, and how many of them have entered our chain. Ids that are only being
 * downloaded are kept, so that this peer can take over a download that fails elsewhere.
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

  /** Returns how many of the first ids are in our chain, main or alternative. */
  countKnown(isKnown: (id: string) => boolean): number {
    for (;;) {
      const id = this.ids[this.#known];
      if (id === undefined || !isKnown(id)) return this.#known;
      this.#known++;
    }
  }

  /** The first id that had not entered our chain at the last count. */
  get firstUnknown(): string | undefined {
    return this.ids[this.#known];
  }

  /** Returns whether every id has entered our chain or waits for verification. */
  isDownloaded(queue: SpanQueue): boolean {
    for (let i = this.#known; i < this.ids.length; i++)
      if (queue.filledHeight(this.ids[i] ?? '') === undefined) return false;
    return true;
  }

  /** Returns the id at a height; undefined outside the entry. */
  idAt(height: number): string | undefined {
    return this.ids[height - this.start];
  }

  /**
   * Returns the first run of at most `limit` blocks that were requested from no peer and that this peer has in the wanted
   * form; undefined when there is none.
   */
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
