import { zoneOf } from '../net/address.ts';
import type { NetAddress, Zone } from '../net/address.ts';
import type { FailedHosts } from '../peers/failed-hosts.ts';
import type { Identity } from '../peers/identity.ts';
import type { PeerList, PeerListSnapshot } from '../peers/list/peer-list.ts';
import type { Transport } from '../transport/transport.ts';

/**
 * One network of peers: the internet, Tor, I2P or libp2p. Addresses never pass from one to another, and each has its own
 * identity of ours.
 */
export interface NetworkZone {
  readonly zone: Zone;
  readonly list: PeerList;
  readonly failures: FailedHosts;
  readonly identity: Identity;
  /** The way to reach peers; undefined when only they can reach us. */
  readonly transport: Transport | undefined;
  /** Connections go through a proxy: connecting takes longer, and peers that come to us are not asked at the port they announce. */
  readonly proxied: boolean;
  /** Our hidden service, whose address is sent to peers to which we connected. */
  readonly ownAddress: NetAddress | undefined;
  /** Our clients' transactions are hidden in a constant stream of frames. */
  readonly noise: boolean;
  /** The only peers to connect to; when absent, peers are chosen from the lists. */
  readonly fixedPeers?: () => readonly NetAddress[];
  /** Most incoming and wanted outgoing connections. */
  inPeers(): number;
  outPeers(): number;
}

/** The networks in which this node takes part, always including the public one. */
export class Zones {
  readonly public: NetworkZone;
  readonly #zones: ReadonlyMap<Zone, NetworkZone>;
  /** Saved peers of networks in which this node does not take part at the moment. */
  #elsewhere: PeerListSnapshot = { white: [], gray: [], anchor: [] };

  constructor(zones: readonly NetworkZone[]) {
    this.#zones = new Map(zones.map((zone) => [zone.zone, zone]));
    const known = this.#zones.get('public');
    if (!known) throw new RangeError('the public zone is missing');
    this.public = known;
  }

  [Symbol.iterator](): IterableIterator<NetworkZone> {
    return this.#zones.values();
  }

  of(address: NetAddress): NetworkZone | undefined {
    return this.#zones.get(zoneOf(address));
  }

  /** Returns the zone of a connected peer. Throws RangeError if this node does not take part in it. */
  ofPeer({ address }: { address: NetAddress }): NetworkZone {
    const zone = this.of(address);
    if (!zone) throw new RangeError('the peer belongs to a network without a zone');
    return zone;
  }

  /** Returns the lists of all zones together, for saving. */
  snapshot(): PeerListSnapshot {
    const all = [...[...this].map(({ list }) => list.snapshot()), this.#elsewhere];
    return {
      white: all.flatMap(({ white }) => white),
      gray: all.flatMap(({ gray }) => gray),
      anchor: all.flatMap(({ anchor }) => anchor),
    };
  }

  restore(saved: PeerListSnapshot): void {
    const part = (belongs: (address: NetAddress) => boolean): PeerListSnapshot => ({
      white: saved.white.filter(({ address }) => belongs(address)),
      gray: saved.gray.filter(({ address }) => belongs(address)),
      anchor: saved.anchor.filter(({ address }) => belongs(address)),
    });
    for (const zone of this) zone.list.restore(part((address) => this.of(address) === zone));
    this.#elsewhere = part((address) => this.of(address) === undefined);
  }
}
