import type { Logger } from '@monero-node/base';
import { isPlausibleSeed, versionAtHeight } from '@monero-node/consensus';
import type { SyncData } from '../messages/admin.ts';
import { isHidden } from '../net/address.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { Downloads } from './downloads.ts';
import type { SyncPeer, SyncPeers } from './sync-peer.ts';
import type { SyncTarget } from './progress.ts';

/** First fork from which a peer's claimed version must be the right one. */
const FIRST_CHECKED_VERSION = 6;

export interface PeerClaimsDependencies {
  readonly chain: ChainForP2p;
  readonly peers: SyncPeers;
  readonly target: SyncTarget;
  readonly downloads: Downloads;
  readonly logger: Logger;
}

/** Handles the claims of peers about their chains, and derives the target height from them. */
export class PeerClaims {
  readonly #noSync: boolean;
  readonly #deps: PeerClaimsDependencies;

  constructor(options: { noSync: boolean }, deps: PeerClaimsDependencies) {
    this.#noSync = options.noSync;
    this.#deps = deps;
  }

  /**
   * Stores what a peer says about its chain in a handshake (`initial`) or a timed sync.
   * Returns the reason to drop the peer, or undefined.
   * Source: process_payload_sync_data in src/cryptonote_protocol/cryptonote_protocol_handler.inl
   */
  onSyncData(peer: SyncPeer, data: SyncData, initial: boolean): string | undefined {
    if (peer.state === 'before_handshake' && !initial) return undefined;
    if (peer.synchronizing) {
      // Its ids are being downloaded; a higher chain is requested when that is done.
      if (peer.state === 'standby' && data.current_height > peer.height)
        this.#setHeight(peer, data.current_height);
      return undefined;
    }
    return refuseSyncData(this.#deps.chain, data) ?? this.#accept(peer, data, initial);
  }

  #accept(peer: SyncPeer, data: SyncData, initial: boolean): undefined {
    const { chain, peers, target } = this.#deps;
    if (data.current_height < peer.height && !peers.lowerScore(peer, 'its chain shrank')) return;
    peer.claim(data.current_height, data.pruning_seed);
    if (chain.has(data.top_id) !== undefined) {
      peer.becomeNormal();
      const highest = target.height || chain.height;
      if (initial && data.current_height >= highest && highest === chain.height) target.reached();
      return;
    }
    if (isHidden(peer.peer.address)) peer.becomeNormal();
    else this.#startWith(peer);
  }

  #startWith(peer: SyncPeer): void {
    const { chain, downloads, logger, target } = this.#deps;
    if (peer.height > target.height) {
      if (peer.height > chain.height)
        logger.info(`${peer.peer} is at ${peer.height}, we are at ${chain.height}`);
      target.raise(peer.height);
    }
    if (this.#noSync) peer.becomeNormal();
    else downloads.restart(peer);
  }

  /** Stores the height named in an answer. Returns false if the peer was dropped for it. */
  updateHeight(peer: SyncPeer, height: number): boolean {
    if (height < peer.height && !this.#deps.peers.lowerScore(peer, 'its chain shrank'))
      return false;
    this.#setHeight(peer, height);
    return true;
  }

  #setHeight(peer: SyncPeer, height: number): void {
    peer.claimHeight(height);
    this.#deps.target.raise(height);
  }

  /** Lowers the target when the peer with the highest chain has left. */
  onPeerClosed(peer: SyncPeer): void {
    const { peers, target } = this.#deps;
    const heights = peers
      .filter((other) => other !== peer && other.state !== 'before_handshake')
      .map((other) => other.height);
    target.lower(Math.max(0, ...heights));
  }
}

/** Returns the reason to drop a peer with this data, or undefined. */
function refuseSyncData(chain: ChainForP2p, data: SyncData): string | undefined {
  if (data.current_height > 0) {
    const version = versionAtHeight(chain.network, data.current_height - 1);
    if (version >= FIRST_CHECKED_VERSION && version !== data.top_version)
      return `claims version ${data.top_version} at height ${data.current_height - 1}`;
  }
  if (!isPlausibleSeed(data.pruning_seed)) return `claims pruning seed ${data.pruning_seed}`;
  return undefined;
}
