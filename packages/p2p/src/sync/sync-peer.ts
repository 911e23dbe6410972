import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { Violation } from '../peers/violation.ts';
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

/** The synchronisation with one peer. Only the files of this folder may write it. */
export class SyncPeer implements PeerSyncState {
  readonly peer: Peer;
  state: ConnectionState = 'before_handshake';
  height = 0;
  pruningSeed = 0;
  score = 0;
  /** The block ids that the peer sent, while synchronizing. */
  chain: PeerChain | undefined;
  pending: PendingRequest | undefined;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  get synchronizing(): boolean {
    return this.state === 'synchronizing' || this.state === 'standby';
  }

  /** Ends synchronisation: there is nothing to download from this peer at the moment. */
  becomeNormal(): void {
    this.state = 'normal';
    this.chain = undefined;
    this.pending = undefined;
  }
}

/** A link whose score falls to this is dropped. */
const LOWEST_SCORE = -2;
/** Points for the host of a link whose score fell too low. */
const LOW_SCORE_PENALTY = 5;

/** The synchronisation records of the open connections. */
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
    record.score--;
    if (record.score > LOWEST_SCORE) return true;
    this.#peers.drop(record.peer, reason, LOW_SCORE_PENALTY);
    return false;
  }
}
