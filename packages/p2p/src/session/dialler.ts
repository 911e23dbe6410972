import type { Logger, MillisecondClock } from '@monero-node/base';
import { CLOSED_BY_PEER } from '../levin/connection.ts';
import { formatPeerAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { PeerList } from '../peers/list/peer-list.ts';
import type { AnchorPeer, KnownPeer } from '../peers/list/known-peer.ts';
import type { Peer } from '../peers/peer.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { Transport } from '../transport/transport.ts';
import type { DialKind } from './connection-maker.ts';
import type { Handshake } from './handshake.ts';
import type { Links } from './links.ts';

/** Milliseconds allowed for connecting, without and with a proxy. */
const CONNECT_TIMEOUT_MS = 5_000;
const PROXY_TIMEOUT_MS = 45_000;

/** Returns why a handshake failed, for the owner of this node. A node that does not want us closes without a word. */
const whyNotIntroduced = ({
  connection: { closeReason = 'the handshake failed' },
}: Peer): string =>
  closeReason === CLOSED_BY_PEER
    ? `${CLOSED_BY_PEER} before it had answered: it is full, has banned this host, is of another network, or has as many connections from this address as it takes (its --max-connections-per-ip, 1 by default)`
    : closeReason;

export interface DiallerDeps {
  transport: Transport;
  /** Connections go through a proxy. */
  proxied: boolean;
  links: Links;
  handshake: Handshake;
  list: PeerList;
  sync: ChainSync;
  logger: Logger;
  /** Aborted when the node stops. */
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  unixNow: MillisecondClock;
  /** Called with the reason when a connection to an address was not made, or ended with its handshake. */
  onFailure: (address: NetAddress, reason: string) => void;
}

/** Connects to other nodes: to stay connected, to take their peer list, or to check that they answer. */
export class Dialler {
  readonly #deps: DiallerDeps;

  constructor(deps: DiallerDeps) {
    this.#deps = deps;
  }

  async #connect(
    address: NetAddress,
    options: { anchor?: boolean } = {},
  ): Promise<Peer | undefined> {
    const { links, logger, proxied, signal, transport } = this.#deps;
    const timeoutMs = proxied ? PROXY_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
    try {
      const stream = await transport.connect(address, { timeoutMs, signal });
      if (!signal.aborted) return links.adopt(stream, { ...options, incoming: false });
      stream.destroy();
    } catch (error) {
      logger.debug(`no connection to ${formatPeerAddress(address)}: ${String(error)}`);
      this.#deps.onFailure(address, error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }

  /** Makes an outgoing connection. Resolves with false if that failed; never rejects. */
  async dial(address: NetAddress, kind: DialKind, anchor?: AnchorPeer): Promise<boolean> {
    const { handshake, list, logger, sync } = this.#deps;
    const peer = await this.#connect(address, { anchor: kind === 'anchor' });
    if (!peer) return false;
    if (!(await handshake.introduce(peer, { listOnly: false }))) {
      this.#deps.onFailure(address, whyNotIntroduced(peer));
      return false;
    }
    logger.info(`connected to ${peer}, height ${sync.stateOf(peer).height}`);
    list.addAnchor({
      address,
      id: peer.identity.peerId,
      firstSeen: anchor?.firstSeen ?? this.#seconds(),
    });
    return true;
  }

  /** Takes a node's peer list and disconnects. Resolves with false if that failed; never rejects. */
  async visit(address: NetAddress): Promise<boolean> {
    const peer = await this.#connect(address);
    if (!peer) return false;
    const answered = await this.#deps.handshake.introduce(peer, { listOnly: true });
    peer.connection.close('the visit is over');
    return answered;
  }

  /** Moves a gray peer to the white list if it answers, and removes it otherwise. Returns whether it answered. */
  async checkGray(peer: KnownPeer): Promise<boolean> {
    const { list } = this.#deps;
    const answered = await this.visit(peer.address);
    if (answered) list.addWhite({ ...peer, lastSeen: this.#seconds() }, true);
    else list.removeGray(peer.address);
    return answered;
  }

  #seconds(): number {
    return Math.floor(this.#deps.unixNow() / 1000);
  }
}
