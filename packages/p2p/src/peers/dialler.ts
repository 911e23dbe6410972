import type { Logger } from '@monero-node/base';
import { formatAddress, zoneOf } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { RateLimiters } from '../net/token-bucket.ts';
import type { Transport } from '../transport/transport.ts';
import { pingBack } from './back-ping.ts';
import type { DialKind } from './connection-maker.ts';
import type { Handshake } from './handshake.ts';
import type { Links } from './links.ts';
import type { AnchorPeer, KnownPeer, PeerList } from './peer-list.ts';
import type { Peer } from './peer.ts';

/** Milliseconds to connect, and to connect through a proxy. */
const CONNECT_TIMEOUT_MS = 5_000;
const PROXY_TIMEOUT_MS = 45_000;

export interface DiallerDeps {
  transport: Transport;
  /** Connections go through a proxy. */
  proxied: boolean;
  links: Links;
  handshake: Handshake;
  list: PeerList;
  limiters: RateLimiters;
  logger: Logger;
  /** Aborted when the node stops. */
  signal: AbortSignal;
  /** Milliseconds. */
  now: () => number;
}

/** Reaches out to other nodes: to stay, to take their peer list, or to see whether they answer. */
export class Dialler {
  readonly #deps: DiallerDeps;

  constructor(deps: DiallerDeps) {
    this.#deps = deps;
  }

  async #connect(address: NetAddress): Promise<Peer | undefined> {
    const { links, logger, proxied, signal, transport } = this.#deps;
    const timeoutMs = proxied ? PROXY_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
    try {
      const stream = await transport.connect(address, { timeoutMs, signal });
      if (!signal.aborted) return links.adopt(stream, { incoming: false });
      stream.destroy();
    } catch (error) {
      logger.debug(`no connection to ${formatAddress(address)}: ${String(error)}`);
    }
    return undefined;
  }

  /** Makes an outgoing connection. False when that failed; never rejects. */
  async dial(address: NetAddress, kind: DialKind, anchor?: AnchorPeer): Promise<boolean> {
    const { handshake, list, logger } = this.#deps;
    const peer = await this.#connect(address);
    if (!peer) return false;
    peer.anchor = kind === 'anchor';
    if (!(await handshake.introduce(peer, { listOnly: false }))) return false;
    logger.info(`connected to ${peer}, height ${peer.height}`);
    list.addAnchor({ address, id: peer.peerId, firstSeen: anchor?.firstSeen ?? this.#seconds() });
    return true;
  }

  /** Takes a node's peer list and leaves. False when that failed; never rejects. */
  async visit(address: NetAddress): Promise<boolean> {
    const peer = await this.#connect(address);
    if (!peer) return false;
    const answered = await this.#deps.handshake.introduce(peer, { listOnly: true });
    peer.connection.close('the visit is over');
    return answered;
  }

  /** An incoming peer that answers at the port it announced becomes a white one. Never rejects. */
  async backPing(peer: Peer, port: number): Promise<void> {
    const { limiters, links, list, logger, now, signal, transport } = this.#deps;
    const address: NetAddress = { ...peer.address, port };
    if (zoneOf(address) !== 'public' || !list.isAllowed(address)) return;
    const onTraffic = links.count.bind(links);
    const connection = { limiters, logger, now, onTraffic };
    if (!(await pingBack(address, peer.peerId, { transport, signal, connection }))) return;
    list.addWhite(
      {
        address,
        id: peer.peerId,
        lastSeen: this.#seconds(),
        pruningSeed: peer.pruningSeed,
        rpcPort: peer.rpcPort,
        rpcCreditsPerHash: peer.rpcCreditsPerHash,
      },
      false,
    );
  }

  /** Finds out whether a gray peer answers, and moves it to the white list or out. */
  async checkGray(peer: KnownPeer): Promise<boolean> {
    const { list } = this.#deps;
    const answered = await this.visit(peer.address);
    if (answered) list.addWhite({ ...peer, lastSeen: this.#seconds() }, true);
    else list.removeGray(peer.address);
    return answered;
  }

  #seconds(): number {
    return Math.floor(this.#deps.now() / 1000);
  }
}
