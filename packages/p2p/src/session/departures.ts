import type { Logger } from '@monero-node/base';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { AnonymityRelay } from '../relay/anonymity-relay.ts';
import type { TransactionRelay } from '../relay/transactions.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { IncomingRecord } from '../zones/incoming-record.ts';
import type { Zones } from '../zones/zones.ts';

export interface DeparturesDependencies {
  readonly zones: Zones;
  readonly peers: PeerSet;
  readonly incoming: IncomingRecord;
  readonly sync: ChainSync;
  readonly transactions: TransactionRelay;
  readonly anonymity: AnonymityRelay;
  readonly logger: Logger;
  /** Aborted when the node stops. */
  readonly signal: AbortSignal;
}

/** Removes a closed connection from every part that knew it. */
export class Departures {
  readonly #deps: DeparturesDependencies;

  constructor(deps: DeparturesDependencies) {
    this.#deps = deps;
  }

  onClosed(peer: Peer, reason: string): void {
    const { anonymity, incoming, logger, peers, signal, sync, transactions, zones } = this.#deps;
    incoming.saw(peer);
    peers.delete(peer);
    logger.debug(`${peer} closed: ${reason}`);
    // Peers connected when the node stops remain anchors for the next start.
    if (!peer.incoming && !signal.aborted) zones.ofPeer(peer).list.removeAnchor(peer.address);
    anonymity.peersChanged(peer);
    sync.onPeerClosed(peer);
    transactions.closed(peer);
  }
}
