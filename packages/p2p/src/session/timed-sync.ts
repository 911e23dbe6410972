import type { Logger } from '@monero-node/base';
import { encodeMessage } from '@monero-node/codec';
import { LEVIN_OK } from '../levin/frame.ts';
import type { LevinAnswer } from '../levin/handler.ts';
import { TIMED_SYNC_REQUEST, TIMED_SYNC_RESPONSE } from '../messages/admin.ts';
import type { TimedSyncRequest } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import { decodeBody } from '../messages/decode.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { ownSyncData } from '../serve/chain.ts';
import type { PeerExchange } from './peer-exchange.ts';

export interface TimedSyncDependencies {
  readonly chain: ChainForP2p;
  readonly peers: PeerSet;
  readonly sync: ChainSync;
  readonly exchange: PeerExchange;
  readonly logger: Logger;
}

/**
 * Exchanges chain heights and peer lists with connected peers from time to time.
 * Source: peer_sync_idle_maker and handle_timed_sync in src/p2p/net_node.inl
 */
export class TimedSync {
  readonly #deps: TimedSyncDependencies;
  /** Peers that have not answered yet. */
  readonly #running = new WeakSet<Peer>();

  constructor(deps: TimedSyncDependencies) {
    this.#deps = deps;
  }

  /** Sends a request to every peer and handles the answers as they arrive. */
  askAll(): void {
    for (const peer of this.#deps.peers) void this.#ask(peer);
  }

  async #ask(peer: Peer): Promise<void> {
    const { chain, exchange, logger, peers, sync } = this.#deps;
    if (this.#running.has(peer) || !peer.handshaked) return;
    this.#running.add(peer);
    try {
      const request = { payload_data: ownSyncData(chain) };
      const body = encodeMessage(TIMED_SYNC_REQUEST, request);
      const answer = await peer.connection.invoke(COMMANDS.timedSync, body);
      const response = decodeBody(TIMED_SYNC_RESPONSE, answer);
      if (!exchange.take(peer, response.local_peerlist_new)) {
        peers.drop(peer, 'a peer list that is not acceptable', 1);
        return;
      }
      if (!peer.incoming) exchange.addAnswering(peer);
      const refusal = sync.onSyncData(peer, response.payload_data, false);
      if (refusal !== undefined) peers.drop(peer, refusal);
    } catch (error) {
      logger.debug(`timed sync with ${peer} failed: ${String(error)}`);
    } finally {
      this.#running.delete(peer);
    }
  }

  /** Answers a peer's request. Returns undefined if the link was closed for it. */
  onRequest(peer: Peer, request: TimedSyncRequest): LevinAnswer | undefined {
    const { chain, exchange, peers, sync } = this.#deps;
    const refusal = sync.onSyncData(peer, request.payload_data, false);
    if (refusal !== undefined) peers.drop(peer, refusal);
    if (peer.connection.closed) return undefined;
    return {
      returnCode: LEVIN_OK,
      body: encodeMessage(TIMED_SYNC_RESPONSE, {
        local_peerlist_new: exchange.forTimedSync(peer),
        payload_data: ownSyncData(chain),
      }),
    };
  }
}
