import type { Logger, MillisecondClock } from '@monero-node/base';
import { isHidden } from '../net/address.ts';
import { Violation } from '../peers/bans/violation.ts';
import type { BlockFeeder } from './block-feeder.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { SpanQueue } from './span-queue.ts';
import type { SyncPeer, SyncPeers } from './sync-peer.ts';
import type { SyncTarget } from './progress.ts';

/** Silence while an answer is due, and the most any answer may take, in milliseconds. */
const SILENT_MS = 20_000;
const ANSWER_MS = 240_000;
/** Milliseconds without a new block, while no peer has anything to download, that count as stuck. */
const STUCK_MS = 30_000;
/** Milliseconds between searches for peers with a higher chain. */
const SEARCH_MS = 101_000;
/** Outgoing peers to leave for that search once we are synchronized. */
const SEARCH_PEERS = 2;

export interface WatchdogOptions {
  /** Wanted outgoing connections. */
  readonly outPeers: () => number;
  /** Whether only exclusive nodes are connected to: there are no others to look for. */
  readonly onlyExclusive: () => boolean;
  readonly now: MillisecondClock;
}

export interface WatchdogDependencies {
  readonly chain: ChainForP2p;
  readonly peers: SyncPeers;
  readonly queue: SpanQueue;
  readonly target: SyncTarget;
  readonly feeder: BlockFeeder;
  readonly logger: Logger;
}

/** Notices peers that do not answer and synchronization that makes no progress. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #deps: WatchdogDependencies;
  #lastAdded: number;
  #lastSearch: number;

  constructor(options: WatchdogOptions, deps: WatchdogDependencies) {
    this.#options = options;
    this.#deps = deps;
    this.#lastAdded = this.#lastSearch = options.now();
  }

  /** Notes that blocks were added just now. */
  progressed(): void {
    this.#lastAdded = this.#options.now();
  }

  /** Frees peers that have not answered for too long. Call it once a second. */
  checkIdle(): void {
    const now = this.#options.now();
    for (const peer of [...this.#deps.peers]) this.#checkIdlePeer(peer, now);
  }

  /** A peer that does not answer gets a second chance, and is dropped the next time. */
  #checkIdlePeer(peer: SyncPeer, now: number): void {
    const { logger, peers, queue } = this.#deps;
    const { pending } = peer;
    if (!pending) return;
    const silent = now - Math.max(pending.since, peer.peer.connection.lastReceive) > SILENT_MS;
    if (!silent && now - pending.since <= ANSWER_MS) return;
    if (!peers.lowerScore(peer, 'it does not answer')) return;
    logger.info(`${peer.peer} has not answered for ${(now - pending.since) / 1000} s`);
    peer.giveUp();
    queue.removeOwned(peer.peer.id, { filled: false });
  }

  /** Resolves deadlocks and makes room for peers that may know more. Call it once a second. */
  checkProgress(): void {
    const now = this.#options.now();
    // The spans of the blocks that failed may have been removed with their peer.
    if (this.#deps.feeder.failing) this.#deps.feeder.kick();
    this.#checkStuck(now);
    if (now - this.#lastSearch < SEARCH_MS) return;
    this.#lastSearch = now;
    this.#search();
  }

  /** Drops an outgoing peer when all peers wait for each other. */
  #checkStuck(now: number): void {
    const { feeder, peers } = this.#deps;
    const waiting = peers.filter((peer) => peer.synchronizing);
    if (waiting.length === 0 || feeder.failing) this.#lastAdded = now;
    if (waiting.length === 0 || feeder.failing || feeder.busy) return;
    if (waiting.some((peer) => peer.pending)) return;
    if (now - this.#lastAdded < STUCK_MS) return;
    this.#lastAdded = now;
    const victim = waiting.find(({ peer }) => !peer.incoming);
    if (victim) peers.drop(victim, new Violation('synchronizing is stuck', 0));
  }

  /** Makes room for other peers when none of the connected ones is ahead of us. */
  #search(): void {
    const { chain, peers, target } = this.#deps;
    if (this.#options.onlyExclusive()) return;
    if (target.height > chain.height) return;
    const outgoing = peers.filter(
      ({ peer }) => peer.handshaked && !peer.incoming && !isHidden(peer.address),
    );
    const syncing = outgoing.filter((peer) => peer.state === 'synchronizing').length;
    const synced = outgoing.filter((peer) => peer.state === 'normal');
    if (synced.length + syncing < this.#options.outPeers() || syncing >= SEARCH_PEERS) return;
    const victim = synced.findLast(({ peer }) => !peer.anchor);
    if (victim) peers.drop(victim, new Violation('making room to look for other peers', 0));
  }
}
