import { randomBelow, type RandomSource } from '@monero-node/base';
import { FluffQueue, type FluffPeer } from './fluff-queue.ts';
import { StemMap } from './stem-map.ts';
import type { RelayBatch, RelayMethod } from './tx-relay.ts';

/** Outgoing peers that get stem transactions. */
const STEMS = 2;
/** Of a hundred epochs, those in which everything received is fluffed. */
const FLUFF_PERCENT = 20;
/** Milliseconds of an epoch: at least, and up to that many more. */
const EPOCH_MS = 600_000;
const EPOCH_RANGE_MS = 30_000;
/** The stem of transactions of this node's own. */
const OWN = '';

export interface DandelionDependencies {
  /** Outgoing peers that are not behind, by id of the connection. */
  readonly stemCandidates: () => string[];
  /** All peers to fluff to. */
  readonly peers: () => Iterable<FluffPeer>;
  /** False when the connection is gone. */
  readonly send: (peerId: string, blobs: readonly Uint8Array[], fluff: boolean) => boolean;
  /** Transactions are now about to be known by that method. */
  readonly markRelayed: (ids: readonly Uint8Array[], method: RelayMethod) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Not to be guessed by peers. */
  readonly random: RandomSource;
}

/**
 * Dandelion++: transactions travel along a line of nodes first (stem) and are told to everyone only at some node on that
 * line (fluff), so that the first who tell are not where they come from. Source: dandelionpp_notify and
 * start_epoch in src/cryptonote_protocol/levin_notify.cpp; the paper is arXiv:1805.11060.
 */
export class Dandelion {
  readonly #deps: DandelionDependencies;
  readonly #queue: FluffQueue;
  #stems: StemMap;
  #fluffing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: DandelionDependencies) {
    this.#deps = deps;
    this.#stems = new StemMap([], STEMS, deps.random);
    this.#queue = new FluffQueue({
      send: (id, blobs) => void deps.send(id, blobs, true),
      now: deps.now,
      random: deps.random,
    });
  }

  /** Begins an epoch; later ones follow by themselves. */
  start(): void {
    const { random, stemCandidates } = this.#deps;
    this.#fluffing = randomBelow(100, random) < FLUFF_PERCENT;
    this.#stems = new StemMap(stemCandidates(), STEMS, random);
    const length = EPOCH_MS + randomBelow(EPOCH_RANGE_MS + 1, random);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.start(), length).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue.stop();
  }

  /** Everything received in this epoch is fluffed. */
  get fluffing(): boolean {
    return this.#fluffing;
  }

  /** The connection is closed. */
  forget(peerId: string): void {
    this.#queue.forget(peerId);
  }

  /** Passes transactions on by the rules of how they came here. */
  relay({ transactions, method, from }: RelayBatch): void {
    if (method === 'none' || method === 'block' || transactions.length === 0) return;
    const ids = transactions.map(({ id }) => id);
    const blobs = transactions.map(({ blob }) => blob);
    // Those of this node go along the stem even while it fluffs: its epoch must not give them away.
    const stems = method === 'local' || (method !== 'fluff' && !this.#fluffing);
    if (stems) {
      this.#deps.markRelayed(ids, 'stem');
      if (this.#sendAlongStem(blobs, from ?? OWN)) return;
    }
    this.#deps.markRelayed(ids, 'fluff');
    this.#queue.add(
      [...this.#deps.peers()].filter(({ id }) => id !== from),
      blobs,
    );
  }

  #sendAlongStem(blobs: readonly Uint8Array[], source: string): boolean {
    if (this.#trySend(blobs, source)) return true;
    // Connections may have come and gone.
    this.#stems.update(this.#deps.stemCandidates());
    return this.#trySend(blobs, source);
  }

  #trySend(blobs: readonly Uint8Array[], source: string): boolean {
    const stem = this.#stems.stemFor(source);
    return stem !== undefined && this.#deps.send(stem, blobs, false);
  }
}
