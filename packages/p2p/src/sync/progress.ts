import type { MillisecondClock } from '@monero-node/base';
import type { P2pEmitter } from '../contract/p2p-events.ts';

/** The height to reach, and whether it has been reached. */
export class SyncTarget {
  readonly #events: P2pEmitter;
  #height = 0;
  #synchronized: boolean;

  constructor(options: { synchronized: boolean }, events: P2pEmitter) {
    this.#events = events;
    this.#synchronized = options.synchronized;
  }

  /** Height of the highest chain among the peers; 0 while unknown. */
  get height(): number {
    return this.#height;
  }

  get synchronized(): boolean {
    return this.#synchronized;
  }

  raise(height: number): void {
    this.#height = Math.max(this.#height, height);
  }

  lower(height: number): void {
    this.#height = Math.min(this.#height, height);
  }

  /**
   * Our chain has all that the peers' have: a peer has joined at our height, or a download from one has ended.
   * Source: on_connection_synchronized in src/cryptonote_protocol/cryptonote_protocol_handler.inl
   */
  reached(): void {
    if (!this.#synchronized) {
      this.#synchronized = true;
      this.#events.emit('synchronized');
    }
    this.#events.emit('level');
  }
}

/** Milliseconds over which the speed is averaged; more if a single batch takes longer. */
const WINDOW_MS = 30_000;
/** Shorter intervals are too short for a meaningful speed. */
const SHORTEST_MS = 1000;

/**
 * Measures blocks per second from the last batch before the window to the newest batch: blocks are added in batches, so
 * only the time between two batches can be measured.
 */
export class BlockRate {
  readonly #now: MillisecondClock;
  /** The first marks the start of the measurement; its own blocks do not count. */
  #batches: { at: number; blocks: number }[];

  constructor(now: MillisecondClock) {
    this.#now = now;
    this.#batches = [{ at: now(), blocks: 0 }];
  }

  add(blocks: number): void {
    const now = this.#now();
    this.#batches.push({ at: now, blocks });
    const inWindow = this.#batches.findIndex((batch) => now - batch.at <= WINDOW_MS);
    this.#batches = this.#batches.slice(Math.max(0, inWindow - 1));
  }

  get perSecond(): number {
    const [first, ...rest] = this.#batches;
    const last = rest.at(-1);
    if (first === undefined || last === undefined) return 0;
    const blocks = rest.reduce((sum, batch) => sum + batch.blocks, 0);
    return (blocks * 1000) / Math.max(SHORTEST_MS, last.at - first.at);
  }
}
