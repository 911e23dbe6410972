import type { Logger, MillisecondClock } from '@monero-node/base';
import type { TransactionOutliner } from '@monero-node/codec';
import type { P2pEmitter } from '../contract/p2p-events.ts';
import type { SyncData } from '../messages/admin.ts';
import type { ResponseObjects } from '../messages/blocks.ts';
import type { ResponseChain } from '../messages/chain.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { P2pOptions } from '../options/options.ts';
import { Answers } from './answers.ts';
import { BlockFeeder } from './block-feeder.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { Downloads, RequestSize } from './downloads.ts';
import { PeerClaims } from './peer-claims.ts';
import { BlockRate, SyncTarget } from './progress.ts';
import { SpanQueue } from './span-queue.ts';
import { StripePolicy } from './stripe-policy.ts';
import type { PeerSyncState, PendingRequest } from './sync-peer.ts';
import { SyncPeers } from './sync-peer.ts';
import { Watchdog } from './watchdog.ts';

const TICK_MS = 1000;

/** Without peers, when `offline`, the chain counts as synchronized. */
type SyncOptions = Pick<
  P2pOptions,
  | 'noSync'
  | 'offline'
  | 'startsSynchronized'
  | 'syncPrunedBlocks'
  | 'blockSyncSize'
  | 'blockDownloadMaxSize'
>;

export interface ChainSyncOptions extends SyncOptions {
  /** Wanted outgoing connections. */
  readonly outPeers: () => number;
  /** Whether only exclusive nodes are connected to. */
  readonly onlyExclusive: () => boolean;
  readonly now: MillisecondClock;
}

export interface ChainSyncDependencies {
  readonly chain: ChainForP2p;
  readonly peers: PeerSet;
  readonly events: P2pEmitter;
  readonly logger: Logger;
  /** See {@link P2pDependencies}. */
  readonly outliner?: TransactionOutliner | undefined;
}

/**
 * Follows the chains of all peers: requests their block ids, downloads spans of blocks from several of them at once
 * and hands those over for verification.
 * Source: t_cryptonote_protocol_handler in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export class ChainSync {
  readonly queue = new SpanQueue();
  readonly stripes: StripePolicy;
  readonly #chain: ChainForP2p;
  readonly #events: P2pEmitter;
  readonly #logger: Logger;
  readonly #peers: SyncPeers;
  readonly #target: SyncTarget;
  readonly #feeder: BlockFeeder;
  readonly #downloads: Downloads;
  readonly #claims: PeerClaims;
  readonly #answers: Answers;
  readonly #watchdog: Watchdog;
  readonly #rate: BlockRate;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ChainSyncOptions, deps: ChainSyncDependencies) {
    const { chain, events, logger, outliner } = deps;
    const { blockDownloadMaxSize, blockSyncSize, now, outPeers } = options;
    const { queue } = this;
    const { offline, startsSynchronized = false } = options;
    const target = new SyncTarget({ synchronized: offline || startsSynchronized }, events);
    const peers = new SyncPeers(deps.peers);
    const feeder = new BlockFeeder({
      chain,
      queue,
      peers: deps.peers,
      events,
      logger,
      now,
      onAdded: (count) => this.#added(count),
      onChange: () => this.#downloads.advanceAll(),
    });
    const stripes = new StripePolicy({ peers, queue, chain, target, outPeers });
    const size = new RequestSize(blockSyncSize, { chain, queue, feeder });
    const downloads = new Downloads(
      { syncPrunedBlocks: options.syncPrunedBlocks === true, blockDownloadMaxSize, now },
      { chain, peers, queue, stripes, target, size },
    );
    const claims = new PeerClaims(options, { chain, peers, target, downloads, logger });
    this.#answers = new Answers({
      chain,
      peers,
      queue,
      claims,
      downloads,
      feeder,
      outliner,
      now,
    });
    this.#watchdog = new Watchdog(options, { chain, peers, queue, target, feeder, logger });
    this.#rate = new BlockRate(now);
    this.stripes = stripes;
    this.#chain = chain;
    this.#events = events;
    this.#logger = logger;
    this.#peers = peers;
    this.#target = target;
    this.#feeder = feeder;
    this.#downloads = downloads;
    this.#claims = claims;
  }

  /** Whether our chain has ever caught up with the peers'. */
  get synchronized(): boolean {
    return this.#target.synchronized;
  }

  /** Whether this node could not add blocks the last time, through no fault of a peer. */
  get failing(): boolean {
    return this.#feeder.failing;
  }

  /** Height of the highest chain among the peers; 0 while unknown. */
  get target(): number {
    return this.#target.height;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#downloads.stop();
    this.#feeder.stop();
    this.queue.clear();
  }

  /** Returns what is known about a peer's chain. */
  stateOf(peer: Peer): PeerSyncState {
    return this.#peers.of(peer);
  }

  /** Returns whether an answer of that kind from the peer is pending. */
  expects(peer: Peer, kind: PendingRequest['kind']): boolean {
    return this.#peers.of(peer).pending?.kind === kind;
  }

  /**
   * Stores what a peer says about its chain in a handshake (`initial`) or a timed sync.
   * Returns the reason to drop the peer, or undefined.
   */
  onSyncData(peer: Peer, data: SyncData, initial: boolean): string | undefined {
    return this.#claims.onSyncData(this.#peers.of(peer), data, initial);
  }

  /** Requests a peer's chain from the beginning, once the current message has been handled. */
  resync(peer: Peer): void {
    this.#downloads.restart(this.#peers.of(peer));
  }

  onPeerClosed(peer: Peer): void {
    this.queue.removeOwned(peer.id, { filled: false });
    if (this.#stopped) return;
    this.#claims.onPeerClosed(this.#peers.of(peer));
    this.#downloads.advanceAll();
  }

  /** Handles the answer to a chain request. Never rejects because of the peer. */
  onChainEntry(peer: Peer, entry: ResponseChain): Promise<void> {
    return this.#answers.onChainEntry(this.#peers.of(peer), entry);
  }

  /** Handles the answer to a block request. Never rejects because of the peer. */
  onObjects(peer: Peer, answer: ResponseObjects): Promise<void> {
    return this.#answers.onObjects(this.#peers.of(peer), answer);
  }

  /** Stores the height of a peer whose newest block has arrived. */
  onPeerBlock(peer: Peer, height: number): void {
    this.#peers.of(peer).claimHeight(height);
  }

  /** A new block was announced by a peer from which blocks are downloaded, perhaps too late for the ids that it sent. */
  onAnnouncedMeanwhile(peer: Peer, height: number): void {
    const record = this.#peers.of(peer);
    if (record.synchronizing) record.announce(height);
  }

  #added(count: number): void {
    this.#rate.add(count);
    this.#watchdog.progressed();
    const { height } = this.#chain;
    const target = Math.max(height, this.target);
    this.#logger.debug(`synced ${height}/${target}`);
    this.#events.emit('progress', { height, target, blocksPerSecond: this.#rate.perSecond });
    if (this.synchronized && height >= this.target) this.#events.emit('caughtUp');
  }

  #tick(): void {
    this.#watchdog.checkIdle();
    this.#downloads.advanceAll();
    this.#watchdog.checkProgress();
  }
}
