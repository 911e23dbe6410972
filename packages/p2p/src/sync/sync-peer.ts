import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { Violation } from '../peers/bans/violation.ts';
import type { PeerChain } from './peer-chain.ts';

export type ConnectionState = 'before_handshake' | 'synchronizing' | 'standby' | 'normal';

/** A chain request or a block request that has not been answered. Times are milliseconds. */
export type PendingRequest =
  | {
      readonly kind: 'chain';
      /** Highest start height that the answer may have. */
      readonly maxStart: number;
      readonly since: number;
    }
  | {
      readonly kind: 'objects';
      readonly start: number;
      /** Ids in hex. */
      readonly ids: readonly string[];
      /** The blocks were requested without prunable data. */
      readonly prune?: boolean;
      readonly since: number;
    };

/** The part of a {@link SyncPeer} that the rest of the node may read. */
export interface PeerSyncState {
  readonly state: ConnectionState;
  /** Number of blocks that the peer claims; 0 until the handshake. */
  readonly height: number;
  readonly pruningSeed: number;
  /** Decreases with every broken promise; at -2 the peer is dropped. */
  readonly score: number;
}

/** A link whose score falls to this is dropped. */
const LOWEST_SCORE = -2;
/** Points for the host of a link that is dropped for its score. */
const LOW_SCORE_PENALTY = 5;

/** The synchronization with one peer. Its methods are the only writers of its state. */
export class SyncPeer implements PeerSyncState {
  readonly peer: Peer;
  #state: ConnectionState = 'before_handshake';
  #height = 0;
  #announced = 0;
  #pruningSeed = 0;
  #score = 0;
  #chain: PeerChain | undefined;
  #pending: PendingRequest | undefined;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get height(): number {
    return this.#height;
  }

  get pruningSeed(): number {
    return this.#pruningSeed;
  }

  get score(): number {
    return this.#score;
  }

  /** The block ids that the peer sent, while synchronizing. */
  get chain(): PeerChain | undefined {
    return this.#chain;
  }

  /** The request that the peer has not answered. */
  get pending(): PendingRequest | undefined {
    return this.#pending;
  }

  get synchronizing(): boolean {
    return this.#state === 'synchronizing' || this.#state === 'standby';
  }

  /** The peer says in a handshake or a timed sync how high its chain is and which blocks it holds. */
  claim(height: number, pruningSeed: number): void {
    this.#height = height;
    this.#pruningSeed = pruningSeed;
  }

  /** An answer or a new block of the peer names its height. */
  claimHeight(height: number): void {
    this.#height = height;
  }

  /** The peer announces a new block while blocks are downloaded from it, after which its chain has `height` blocks, it says. */
  announce(height: number): void {
    this.#announced = Math.max(this.#announced, height);
  }

  /** Returns the greatest height that was announced meanwhile, and forgets it; 0 if none was. */
  takeAnnounced(): number {
    const announced = this.#announced;
    this.#announced = 0;
    return announced;
  }

  /** Begins synchronization with the peer: its ids are to be requested. */
  begin(): void {
    this.#state = 'synchronizing';
    this.#chain = undefined;
  }

  /** A request is about to be sent to the peer. */
  request(pending: PendingRequest): void {
    this.#state = 'synchronizing';
    this.#pending = pending;
  }

  /** The peer answered its request. */
  answered(): void {
    this.#pending = undefined;
  }

  /** The ids of the peer's last chain entry are acceptable. */
  show(chain: PeerChain): void {
    this.#chain = chain;
  }

  /** There is nothing to request from the peer at the moment. */
  wait(): void {
    this.#state = 'standby';
  }

  /** Drops the request, which took too long to answer. */
  giveUp(): void {
    this.#pending = undefined;
    this.#state = 'standby';
  }

  /** Ends synchronization: there is nothing to download from this peer. */
  becomeNormal(): void {
    this.#state = 'normal';
    this.#chain = undefined;
    this.#pending = undefined;
  }

  /** Counts a broken promise. Returns false if it was one too many. */
  lowerScore(): boolean {
    this.#score--;
    return this.#score > LOWEST_SCORE;
  }
}

/** The synchronization records of the open connections. */
export class SyncPeers {
  readonly #peers: PeerSet;
  readonly #records = new WeakMap<Peer, SyncPeer>();

  constructor(peers: PeerSet) {
    this.#peers = peers;
  }

  *[Symbol.iterator](): IterableIterator<SyncPeer> {
    for (const peer of this.#peers) yield this.of(peer);
  }

  /** Returns the record of a peer, which is created when it is first needed. */
  of(peer: Peer): SyncPeer {
    const known = this.#records.get(peer);
    if (known) return known;
    const record = new SyncPeer(peer);
    this.#records.set(peer, record);
    return record;
  }

  /** Returns the record of an open connection, by the connection's id. */
  get(id: string): SyncPeer | undefined {
    const peer = this.#peers.get(id);
    return peer && this.of(peer);
  }

  filter(condition: (peer: SyncPeer) => boolean): SyncPeer[] {
    return [...this].filter(condition);
  }

  count(condition: (peer: SyncPeer) => boolean): number {
    return this.filter(condition).length;
  }

  drop({ peer }: SyncPeer, { reason, penalty }: Violation): void {
    this.#peers.drop(peer, reason, penalty);
  }

  /** Lowers a link's score; at -2 the link is dropped. Returns false if it was dropped. */
  lowerScore(record: SyncPeer, reason: string): boolean {
    if (record.lowerScore()) return true;
    this.#peers.drop(record.peer, reason, LOW_SCORE_PENALTY);
    return false;
  }
}
