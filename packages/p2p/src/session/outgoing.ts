import type { Logger, MillisecondClock, RandomSource } from '@monero-node/base';
import { isHidden, sameAddress } from '../net/address.ts';
import { mappedIpv4 } from '../net/ip-address.ts';
import type { NetAddress } from '../net/address.ts';
import type { AddressBook } from '../peers/seeds/address-book.ts';
import type { BanList } from '../peers/bans/bans.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { Transport } from '../transport/transport.ts';
import type { NetworkZone, Zones } from '../zones/zones.ts';
import { ConnectionMaker } from './connection-maker.ts';
import { Dialler } from './dialler.ts';
import type { FixedPeers } from './fixed-peers.ts';
import type { Handshake } from './handshake.ts';
import type { Links } from './links.ts';

export interface OutgoingDeps {
  chain: Pick<ChainForP2p, 'height'>;
  zones: Zones;
  peers: PeerSet;
  bans: BanList;
  links: Links;
  handshake: Handshake;
  book: AddressBook;
  fixedPeers: FixedPeers;
  sync: ChainSync;
  logger: Logger;
  /** Connect to IPv6 addresses. */
  useIpv6: boolean;
  /** Aborted when the node stops. */
  signal: AbortSignal;
  now: MillisecondClock;
  /** Milliseconds since 1970. */
  unixNow: MillisecondClock;
  /** In [0, 1). */
  random: RandomSource;
}

/** Outgoing connections of one zone. */
interface ZoneConnections {
  readonly zone: NetworkZone;
  readonly dialler: Dialler;
  readonly maker: ConnectionMaker;
}

/** The outgoing connections of every zone that has a transport. */
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

  /** Exclusive nodes may have been named: closes the connections to all others then. */
  keepExclusive(): void {
    if (!this.#deps.book.exclusive.given) return;
    for (const { zone, maker } of this.#zones)
      if (zone.fixedPeers === undefined) maker.keepExclusive();
  }

  /**
   * Finds out whether one gray peer of each zone answers. Never rejects. While synchronizing, public peers are spared:
   * their connections are needed for downloads.
   */
  async checkGrayPeers(): Promise<void> {
    const { book, chain, peers, sync, zones } = this.#deps;
    if (book.exclusive.given) return;
    const outgoing = peers.count((peer) => !peer.incoming && !isHidden(peer.address));
    const busy = sync.target > chain.height && outgoing < zones.public.outPeers();
    const checked = this.#zones.filter(({ zone }) => !(busy && zone === zones.public));
    await Promise.all(checked.map((zone) => this.#checkGrayPeer(zone)));
  }

  async #checkGrayPeer({ zone, dialler }: ZoneConnections): Promise<void> {
    const peer = zone.list.randomGray();
    if (!peer || this.#isTaken(peer.address)) return;
    if (mappedIpv4(peer.address)) zone.list.removeGray(peer.address);
    else if (!this.#isSkipped(peer.address) && !(await dialler.checkGray(peer)))
      zone.failures.add(peer.address);
  }

  #isTaken({ host }: NetAddress): boolean {
    return this.#deps.peers.count((peer) => peer.address.host === host) > 0;
  }

  /** Whether connections to an address are not made: IPv6 unless enabled, and IPv4-mapped IPv6 always. */
  #isSkipped(address: NetAddress): boolean {
    return address.kind === 'ipv6' && (!this.#deps.useIpv6 || mappedIpv4(address) !== undefined);
  }

  #connectionsOf(zone: NetworkZone, transport: Transport): ZoneConnections {
    const { book, fixedPeers, handshake, links, logger, now, signal, sync, unixNow } = this.#deps;
    const { failures, list, proxied } = zone;
    const dialler = new Dialler({
      transport,
      proxied,
      links,
      handshake,
      list,
      sync,
      logger,
      signal,
      unixNow,
      onFailure: (address, reason) => fixedPeers.failed(address, reason),
    });
    const within = (addresses: readonly NetAddress[]): readonly NetAddress[] =>
      addresses.filter((address) => this.#deps.zones.of(address) === zone);
    const unlisted = (): readonly NetAddress[] =>
      within(book.added.addresses).filter((address) => !list.isAllowed(address));
    const maker = new ConnectionMaker({
      list,
      failures,
      logger,
      now,
      zone: zone.zone,
      peers: this.#deps.peers,
      bans: this.#deps.bans,
      random: this.#deps.random,
      isExcluded: ({ address, id }) => this.#isExcluded(zone, address, id),
      outPeers: () => zone.outPeers(),
      stripe: () => (zone.zone === 'public' ? sync.stripes.wanted() : 0),
      dial: (address, kind, anchor) => dialler.dial(address, kind, anchor),
      visit: (address) => dialler.visit(address),
      exclusive: zone.fixedPeers ?? (() => within(book.exclusive.addresses)),
      onlyExclusive: () => zone.fixedPeers !== undefined || book.exclusive.given,
      // Added peers that may not enter the lists, such as those on this machine, count as priority nodes.
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
