import type { Logger } from '@monero-node/base';
import { bytesEqual, encodeMessage } from '@monero-node/codec';
import type { ChainForP2p } from '../chain.ts';
import type { LevinAnswer } from '../levin/connection.ts';
import { SHORT_INVOKE_TIMEOUT_MS } from '../levin/connection.ts';
import { LEVIN_OK } from '../levin/frame.ts';
import {
  EMPTY_REQUEST,
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  SUPPORT_FLAGS_RESPONSE,
  TIMED_SYNC_REQUEST,
  TIMED_SYNC_RESPONSE,
} from '../messages/admin.ts';
import type { HandshakeRequest, HandshakeResponse, NodeData } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import { decodeBody } from '../messages/decode.ts';
import type { PeerListEntry } from '../messages/peer-entries.ts';
import { formatAddress, isHidden, isHiddenZone, zoneOf } from '../net/address.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import { ownSyncData } from '../sync/sync-data.ts';
import { Violation } from '../violation.ts';
import type { NetworkZone, Zones } from '../zones/zones.ts';
import { MAX_PEERS_IN_HANDSHAKE } from './peer-list.ts';
import type { KnownPeer } from './peer-list.ts';
import type { PeerSet } from './peer-set.ts';
import type { Peer } from './peer.ts';
import { acceptPeerList, toPeerListEntry } from './received-list.ts';

export interface HandshakeDeps {
  chain: ChainForP2p;
  zones: Zones;
  peers: PeerSet;
  sync: ChainSync;
  logger: Logger;
  /** Whether a peer we are told of is worth keeping: not banned, not unreachable lately. */
  isWelcome: (peer: KnownPeer) => boolean;
  /** Asks a new incoming peer back at the port it announced. */
  backPing: (peer: Peer, port: number) => void;
  /** The handshake with a peer is done. */
  onIntroduced: (peer: Peer) => void;
  /** Unix seconds. */
  seconds: () => number;
  /** In [0, 1). */
  random: () => number;
}

/**
 * Introducing each other and staying in touch: handshake, timed sync, support flags
 * (`src/p2p/net_node.inl`). Failures close the link.
 */
export class Handshake {
  readonly #deps: HandshakeDeps;

  constructor(deps: HandshakeDeps) {
    this.#deps = deps;
  }

  /**
   * Introduces ourselves on an outgoing link.
   * @param options.listOnly only take the peer's list; the caller then closes the link
   * @returns whether that worked; when not, the link is closed
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
    const { sync, onIntroduced } = this.#deps;
    const { identity, list } = this.#zone(peer);
    const { node_data: node } = response;
    if (!bytesEqual(node.network_id, identity.networkId))
      return new Violation('it is on another network', 0);
    if (!this.#takeList(peer, response.local_peerlist_new))
      return new Violation('a peer list that is not acceptable', 1);
    if (listOnly) return undefined;
    if (this.#isOurselves(peer, node)) return new Violation('it is ourselves', 0);
    const refusal = sync.onSyncData(peer, response.payload_data, true);
    if (refusal !== undefined) return new Violation(refusal, 0);
    this.#setNode(peer, node);
    list.addWhite(this.#known(peer, node.peer_id), true);
    onIntroduced(peer);
    if (node.support_flags === 0) void this.#askSupportFlags(peer);
    return undefined;
  }

  /** Answers an introduction. Undefined when the link was closed for it. */
  onRequest(peer: Peer, request: HandshakeRequest): LevinAnswer | undefined {
    const { chain, onIntroduced, peers } = this.#deps;
    const { backPing, identity, list } = this.#zone(peer);
    const problem = this.#acceptRequest(peer, request);
    if (problem) {
      peers.drop(peer, problem.reason, problem.penalty);
      return undefined;
    }
    if (peer.connection.closed) return undefined;
    const { node_data: node } = request;
    this.#setNode(peer, node);
    peer.connection.allowLargePackets();
    onIntroduced(peer);
    if (backPing && node.my_port > 0 && node.my_port < 65536)
      this.#deps.backPing(peer, node.my_port);
    if (node.support_flags === 0) void this.#askSupportFlags(peer);
    const known = list.toSend();
    for (const { address } of known) peer.sentAddresses.add(formatAddress(address));
    return {
      returnCode: LEVIN_OK,
      body: encodeMessage(HANDSHAKE_RESPONSE, {
        local_peerlist_new: known.map(toPeerListEntry),
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
    if (peer.handshaked || peer.state !== 'before_handshake')
      return new Violation('a second handshake', 0);
    if (this.#isOurselves(peer, node)) return new Violation('it is ourselves', 0);
    const refusal = sync.onSyncData(peer, request.payload_data, true);
    return refusal === undefined ? undefined : new Violation(refusal, 0);
  }

  #zone(peer: Peer): NetworkZone {
    return this.#deps.zones.ofPeer(peer);
  }

  /** Behind hidden services all nodes have the same id. */
  #isOurselves(peer: Peer, node: NodeData): boolean {
    const { zone, identity } = this.#zone(peer);
    return !isHiddenZone(zone) && node.peer_id === identity.peerId;
  }

  #setNode(peer: Peer, node: NodeData): void {
    peer.peerId = node.peer_id;
    peer.rpcPort = node.rpc_port;
    peer.rpcCreditsPerHash = node.rpc_credits_per_hash;
    peer.supportFlags = node.support_flags;
  }

  async #askSupportFlags(peer: Peer): Promise<void> {
    if (isHidden(peer.address)) return;
    try {
      const body = await peer.connection.invoke(
        COMMANDS.supportFlags,
        encodeMessage(EMPTY_REQUEST, {}),
        { timeoutMs: SHORT_INVOKE_TIMEOUT_MS },
      );
      peer.supportFlags = decodeBody(SUPPORT_FLAGS_RESPONSE, body).support_flags;
    } catch (error) {
      this.#deps.logger.debug(`no support flags from ${peer}: ${String(error)}`);
    }
  }

  /** Tells a peer of our chain, and learns of its chain and its other peers. */
  async timedSync(peer: Peer): Promise<void> {
    const { chain, logger, peers, sync } = this.#deps;
    const { list } = this.#zone(peer);
    if (peer.inTimedSync || !peer.handshaked) return;
    peer.inTimedSync = true;
    try {
      const request = { payload_data: ownSyncData(chain) };
      const body = encodeMessage(TIMED_SYNC_REQUEST, request);
      const answer = await peer.connection.invoke(COMMANDS.timedSync, body);
      const response = decodeBody(TIMED_SYNC_RESPONSE, answer);
      if (!this.#takeList(peer, response.local_peerlist_new)) {
        peers.drop(peer, 'a peer list that is not acceptable', 1);
        return;
      }
      if (!peer.incoming) list.addWhite(this.#known(peer, peer.peerId), true);
      const refusal = sync.onSyncData(peer, response.payload_data, false);
      if (refusal !== undefined) peers.drop(peer, refusal);
    } catch (error) {
      logger.debug(`timed sync with ${peer} failed: ${String(error)}`);
    } finally {
      peer.inTimedSync = false;
    }
  }

  /** Answers a timed sync. Undefined when the link was closed for it. */
  onTimedSync(peer: Peer, body: Uint8Array): LevinAnswer | undefined {
    const { chain, peers, sync } = this.#deps;
    const request = decodeBody(TIMED_SYNC_REQUEST, body);
    const refusal = sync.onSyncData(peer, request.payload_data, false);
    if (refusal !== undefined) peers.drop(peer, refusal);
    if (peer.connection.closed) return undefined;
    const fresh = this.#peersFor(peer).filter(
      ({ address }) => !peer.sentAddresses.has(formatAddress(address)),
    );
    for (const { address } of fresh) peer.sentAddresses.add(formatAddress(address));
    return {
      returnCode: LEVIN_OK,
      body: encodeMessage(TIMED_SYNC_RESPONSE, {
        local_peerlist_new: fresh.map(toPeerListEntry),
        payload_data: ownSyncData(chain),
      }),
    };
  }

  /**
   * A choice of white peers. A hidden service cannot see who connects to it, so it is told our own
   * address by us, somewhere among the others.
   */
  #peersFor(peer: Peer): KnownPeer[] {
    const { identity, list, ownAddress } = this.#zone(peer);
    if (peer.incoming || !ownAddress) return list.toSend(MAX_PEERS_IN_HANDSHAKE);
    const known = list.toSend(MAX_PEERS_IN_HANDSHAKE - 1);
    const at = Math.floor(this.#deps.random() * (known.length + 1));
    const own = { address: ownAddress, id: identity.peerId, lastSeen: 0 };
    known.splice(at, 0, { ...own, pruningSeed: 0, rpcPort: 0, rpcCreditsPerHash: 0 });
    return known;
  }

  #takeList(peer: Peer, entries: readonly PeerListEntry[]): boolean {
    const accepted = acceptPeerList(entries, zoneOf(peer.address));
    if (!accepted) return false;
    for (const known of accepted)
      if (this.#deps.isWelcome(known)) this.#zone(peer).list.addGray(known);
    return true;
  }

  #known(peer: Peer, id: bigint): KnownPeer {
    return {
      address: peer.address,
      id,
      lastSeen: this.#deps.seconds(),
      pruningSeed: peer.pruningSeed,
      rpcPort: peer.rpcPort,
      rpcCreditsPerHash: peer.rpcCreditsPerHash,
    };
  }
}
