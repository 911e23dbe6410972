import type { Logger } from '@monero-node/base';
import { mappedIpv4, sameAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { RateLimiters } from '../net/token-bucket.ts';
import type { AddressBook } from '../peers/address-book.ts';
import type { BanList } from '../peers/bans.ts';
import { ConnectionMaker } from '../peers/connection-maker.ts';
import { Dialler } from '../peers/dialler.ts';
import type { Handshake } from '../peers/handshake.ts';
import type { Links } from '../peers/links.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { Transport } from '../transport/transport.ts';
import type { NetworkZone, Zones } from './zones.ts';

export interface OutgoingDeps {
  zones: Zones;
  peers: PeerSet;
  bans: BanList;
  links: Links;
  handshake: Handshake;
  book: AddressBook;
  limiters: RateLimiters;
  logger: Logger;
  /** Connections to IPv6 addresses are made. */
  useIpv6: boolean;
  /** Pruning stripe new public peers should hold, or 0. */
  stripe: () => number;
  /** Aborted when the node stops. */
  signal: AbortSignal;
  /** Milliseconds. */
  now: () => number;
  /** In [0, 1). */
  random: () => number;
}

/** Outgoing connections of one zone. */
interface ZoneConnections {
  readonly zone: NetworkZone;
  readonly dialler: Dialler;
  readonly maker: ConnectionMaker;
}

/** The outgoing connections of every zone that has a way of making some. */
export class Outgoing {
  readonly #deps: OutgoingDeps;
  readonly #zones: readonly ZoneConnections[];

  constructor(deps: OutgoingDeps) {
    this.#deps = deps;
    this.#zones = [...deps.zones].flatMap((zone) =>
      zone.transport ? this.#connectionsOf(zone, zone.transport) : [],
    );
  }

  start(): void {
    for (const { maker } of this.#zones) maker.start();
  }

  stop(): void {
    for (const { maker } of this.#zones) maker.stop();
  }

  /** Whether a host failed within the last hour. */
  failedLately(address: NetAddress): boolean {
    const zone = this.#deps.zones.of(address);
    return this.#zones.some((known) => known.zone === zone && known.maker.failedLately(address));
  }

  /** Asks an incoming public peer back at the port it announced. */
  async backPing(peer: Peer, port: number): Promise<void> {
    const at = this.#zones.find(({ zone }) => zone === this.#deps.zones.ofPeer(peer));
    await at?.dialler.backPing(peer, port);
  }

  /**
   * Finds out whether one gray peer of each zone answers.
   * @param skip zones that need their connections for something else now
   */
  async checkGrayPeers(skip: (zone: NetworkZone) => boolean): Promise<void> {
    if (this.#deps.book.exclusive.given) return;
    await Promise.all(
      this.#zones.filter(({ zone }) => !skip(zone)).map((zone) => this.#checkGrayPeer(zone)),
    );
  }

  async #checkGrayPeer({ zone, dialler, maker }: ZoneConnections): Promise<void> {
    const peer = zone.list.randomGray();
    if (!peer || this.#isTaken(peer.address)) return;
    if (mappedIpv4(peer.address)) zone.list.removeGray(peer.address);
    else if (!this.#isSkipped(peer.address) && !(await dialler.checkGray(peer)))
      maker.noteFailure(peer.address);
  }

  #isTaken({ host }: NetAddress): boolean {
    return this.#deps.peers.count((peer) => peer.address.host === host) > 0;
  }

  /** Known, but not to be connected to: IPv6 unless asked for, IPv4 disguised as IPv6 never. */
  #isSkipped(address: NetAddress): boolean {
    return address.kind === 'ipv6' && (!this.#deps.useIpv6 || mappedIpv4(address) !== undefined);
  }

  #connectionsOf(zone: NetworkZone, transport: Transport): ZoneConnections {
    const { book, handshake, limiters, links, logger, now, signal } = this.#deps;
    const { list, proxied } = zone;
    const dialler = new Dialler({
      ...{ transport, proxied, links, handshake, list, limiters, logger, signal, now },
    });
    const within = (addresses: readonly NetAddress[]): readonly NetAddress[] =>
      addresses.filter((address) => this.#deps.zones.of(address) === zone);
    const unlisted = (): readonly NetAddress[] =>
      within(book.added.addresses).filter((address) => !list.isAllowed(address));
    const maker = new ConnectionMaker({
      ...{ list, logger, now, zone: zone.zone },
      peers: this.#deps.peers,
      bans: this.#deps.bans,
      random: this.#deps.random,
      isExcluded: ({ address, id }) => this.#isExcluded(zone, address, id),
      outPeers: () => zone.outPeers(),
      stripe: zone.zone === 'public' ? this.#deps.stripe : () => 0,
      dial: (address, kind, anchor) => dialler.dial(address, kind, anchor),
      visit: (address) => dialler.visit(address),
      exclusive: zone.fixedPeers ?? (() => within(book.exclusive.addresses)),
      onlyExclusive: zone.fixedPeers !== undefined || book.exclusive.given,
      // Added peers that may not enter the lists, such as those on this machine, too.
      priority: () => [...within(book.priority.addresses), ...unlisted()],
      seeds: () => book.seeds(zone.zone, signal),
    });
    return { zone, dialler, maker };
  }

  #isExcluded({ zone, identity, ownAddress }: NetworkZone, address: NetAddress, id: bigint) {
    if (zone === 'public') return id === identity.peerId || this.#isSkipped(address);
    return ownAddress !== undefined && sameAddress(ownAddress, address);
  }
}
