import type { Peer } from '../peers/peer.ts';
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
