import type { Logger } from '@monero-node/base';
import { bytesEqual, encodeMessage } from '@monero-node/codec';
import { LEVIN_OK } from '../levin/frame.ts';
import type { LevinAnswer } from '../levin/handler.ts';
import { SHORT_INVOKE_TIMEOUT_MS } from '../levin/pending-invokes.ts';
import {
  EMPTY_REQUEST,
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  SUPPORT_FLAGS_RESPONSE,
} from '../messages/admin.ts';
import type { HandshakeRequest, HandshakeResponse, NodeData } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import { decodeBody } from '../messages/decode.ts';
import { isHidden, isHiddenZone } from '../net/address.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import { Violation } from '../peers/bans/violation.ts';
import type { AnonymityRelay } from '../relay/anonymity-relay.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { ownSyncData } from '../serve/chain.ts';
import type { IncomingRecord } from '../zones/incoming-record.ts';
import type { NetworkZone, Zones } from '../zones/zones.ts';
import type { BackPing } from './back-ping.ts';
import type { PeerExchange } from './peer-exchange.ts';

export interface HandshakeDependencies {
  readonly chain: ChainForP2p;
  readonly zones: Zones;
  readonly peers: PeerSet;
  readonly sync: ChainSync;
  readonly exchange: PeerExchange;
  readonly backPing: BackPing;
  readonly incoming: IncomingRecord;
  /** Hears of every peer whose handshake is done. */
  readonly anonymity: AnonymityRelay;
  readonly logger: Logger;
}

/**
 * Makes and answers handshakes, and asks for support flags. Failures close the link.
 * Source: do_handshake_with_peer and handle_handshake in src/p2p/net_node.inl
 */
export class Handshake {
  readonly #deps: HandshakeDependencies;

  constructor(deps: HandshakeDependencies) {
    this.#deps = deps;
  }

  /**
   * Makes the handshake on an outgoing link. Resolves with false if it failed; the link is then closed.
   * @param options.listOnly only take the peer's list; the caller then closes the link
   */
  async introduce(peer: Peer, options: { listOnly: boolean }): Promise<boolean> {
    const { chain, logger } = this.#deps;
    const { identity } = this.#zone(peer);
    const request = { node_data: identity.nodeData(), payload_data: ownSyncData(chain) };
    peer.connection.allowLargePackets();
    let response: HandshakeResponse;
    try {
      const body = await peer.connection.invoke(
        COMMANDS.handshake,
        encodeMessage(HANDSHAKE_REQUEST, request),
        { timeoutMs: SHORT_INVOKE_TIMEOUT_MS, restartOnProgress: false },
      );
      response = decodeBody(HANDSHAKE_RESPONSE, body);
    } catch (error) {
      logger.debug(`no handshake with ${peer}: ${String(error)}`);
      peer.connection.close('the handshake failed');
      return false;
    }
    const problem = this.#acceptResponse(peer, response, options.listOnly);
    if (problem) this.#deps.peers.drop(peer, problem.reason, problem.penalty);
    return !problem && !peer.connection.closed;
  }

  #acceptResponse(
    peer: Peer,
    response: HandshakeResponse,
    listOnly: boolean,
  ): Violation | undefined {
    const { anonymity, exchange, sync } = this.#deps;
    const { identity } = this.#zone(peer);
    const { node_data: node } = response;
    if (!bytesEqual(node.network_id, identity.networkId))
      return new Violation('it is on another network', 0);
    if (!exchange.take(peer, response.local_peerlist_new))
      return new Violation('a peer list that is not acceptable', 1);
    if (listOnly) return undefined;
    if (this.#isOurselves(peer, node)) return new Violation('it is ourselves', 0);
    const refusal = sync.onSyncData(peer, response.payload_data, true);
    if (refusal !== undefined) return new Violation(refusal, 0);
    this.#setNode(peer, node);
    exchange.addAnswering(peer);
    anonymity.peersChanged(peer);
    if (node.support_flags === 0) void this.#askSupportFlags(peer);
    return undefined;
  }

  /** Answers a peer's handshake. Returns undefined if the link was closed for it. */
  onRequest(peer: Peer, request: HandshakeRequest): LevinAnswer | undefined {
    const { anonymity, backPing, chain, exchange, incoming, peers } = this.#deps;
    const { identity } = this.#zone(peer);
    const problem = this.#acceptRequest(peer, request);
    if (problem) {
      peers.drop(peer, problem.reason, problem.penalty);
      return undefined;
    }
    if (peer.connection.closed) return undefined;
    const { node_data: node } = request;
    this.#setNode(peer, node);
    incoming.saw(peer);
    peer.connection.allowLargePackets();
    anonymity.peersChanged(peer);
    if (node.my_port > 0 && node.my_port < 65536) void backPing.check(peer, node.my_port);
    if (node.support_flags === 0) void this.#askSupportFlags(peer);
    return {
      returnCode: LEVIN_OK,
      body: encodeMessage(HANDSHAKE_RESPONSE, {
        local_peerlist_new: exchange.forHandshake(peer),
        node_data: identity.nodeData(),
        payload_data: ownSyncData(chain),
      }),
    };
  }

  #acceptRequest(peer: Peer, request: HandshakeRequest): Violation | undefined {
    const { sync } = this.#deps;
    const { identity } = this.#zone(peer);
    const { node_data: node } = request;
    if (!bytesEqual(node.network_id, identity.networkId))
      return new Violation('it is on another network', 1);
    if (!peer.incoming) return new Violation('a handshake on an outgoing link', 1);
    if (peer.handshaked || sync.stateOf(peer).state !== 'before_handshake')
      return new Violation('a second handshake', 0);
    if (this.#isOurselves(peer, node)) return new Violation('it is ourselves', 0);
    const refusal = sync.onSyncData(peer, request.payload_data, true);
    return refusal === undefined ? undefined : new Violation(refusal, 0);
  }

  #zone(peer: Peer): NetworkZone {
    return this.#deps.zones.ofPeer(peer);
  }

  /** In anonymity networks all nodes have the same id, so equal ids prove nothing there. */
  #isOurselves(peer: Peer, node: NodeData): boolean {
    const { zone, identity } = this.#zone(peer);
    return !isHiddenZone(zone) && node.peer_id === identity.peerId;
  }

  #setNode(peer: Peer, node: NodeData): void {
    peer.identify({
      peerId: node.peer_id,
      rpcPort: node.rpc_port,
      rpcCreditsPerHash: node.rpc_credits_per_hash,
      supportFlags: node.support_flags,
    });
  }

  async #askSupportFlags(peer: Peer): Promise<void> {
    if (isHidden(peer.address)) return;
    try {
      const body = await peer.connection.invoke(
        COMMANDS.supportFlags,
        encodeMessage(EMPTY_REQUEST, {}),
        { timeoutMs: SHORT_INVOKE_TIMEOUT_MS, restartOnProgress: false },
      );
      const { support_flags: supportFlags } = decodeBody(SUPPORT_FLAGS_RESPONSE, body);
      peer.identify({ supportFlags });
    } catch (error) {
      this.#deps.logger.debug(`no support flags from ${peer}: ${String(error)}`);
    }
  }
}
