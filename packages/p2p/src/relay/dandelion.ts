import type { MillisecondClock } from '@monero-node/base';
import { randomBelow, type RandomSource } from '@monero-node/base';
import { FluffQueue, type FluffPeer } from './fluff-queue.ts';
import { StemMap } from './stem-map.ts';
import type { RelayBatch, PeerRelayMethod } from '../contract/pool-for-p2p.ts';

/** Outgoing peers that get stem transactions. */
const STEMS = 2;
/** Percentage of the epochs in which every received transaction is fluffed. */
const FLUFF_PERCENT = 20;
/** Length of an epoch: the minimum, and the range of the random part, in milliseconds. */
const EPOCH_MS = 600_000;
const EPOCH_RANGE_MS = 30_000;
/** The source of our clients' transactions in the stem map. */
const OWN = '';

export interface DandelionDependencies {
  /** Connection ids of the outgoing peers that are not behind. */
  readonly stemCandidates: () => string[];
  /** All peers that fluffed transactions are sent to. */
  readonly peers: () => Iterable<FluffPeer>;
  /** Returns false if the connection is closed. */
  readonly send: (peerId: string, blobs: readonly Uint8Array[], fluff: boolean) => boolean;
  /** Called before transactions are sent by that method. */
  readonly markRelayed: (ids: readonly Uint8Array[], method: PeerRelayMethod) => void;
  readonly now: MillisecondClock;
  /** Peers must not be able to guess it. */
  readonly random: RandomSource;
}

/**
 * Dandelion++: a transaction first travels along a line of nodes (stem), and some node on that line broadcasts it
 * (fluff), so that the nodes seen to send it first are not its origin.
 * Source: dandelionpp_notify and start_epoch in src/cryptonote_protocol/levin_notify.cpp; paper arXiv:1805.11060
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

  /** Begins an epoch; the next ones follow by timer. */
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

  /** Whether every transaction received in this epoch is fluffed. */
  get fluffing(): boolean {
    return this.#fluffing;
  }

  /** Forgets a closed connection, and drops what waits for it. */
  forget(peerId: string): void {
    this.#stems.forget(peerId);
    this.#queue.forget(peerId);
  }

  /** Sends transactions by the method that their origin requires. */
  relay({ transactions, method, from }: RelayBatch): void {
    if (method === 'none' || method === 'block' || transactions.length === 0) return;
    const ids = transactions.map(({ id }) => id);
    const blobs = transactions.map(({ blob }) => blob);
    // Our clients' transactions use the stem even in a fluff epoch, which would otherwise reveal them.
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
    // Connections may have changed since the epoch began.
    this.#stems.update(this.#deps.stemCandidates());
    return this.#trySend(blobs, source);
  }

  #trySend(blobs: readonly Uint8Array[], source: string): boolean {
    const stem = this.#stems.stemFor(source);
    return stem !== undefined && this.#deps.send(stem, blobs, false);
  }
}
