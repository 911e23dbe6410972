import { zoneOf } from '../net/address.ts';
import type { NetAddress, Zone } from '../net/address.ts';
import type { FailedHosts } from '../peers/failed-hosts.ts';
import type { Identity } from '../peers/identity.ts';
import type { PeerList, PeerListSnapshot } from '../peers/peer-list.ts';
import type { Transport } from '../transport/transport.ts';

/**
 * One network that peers live in: the internet, Tor, I2P or libp2p. Addresses never cross from one to
 * another, and each knows us by another name.
 */
export interface NetworkZone {
  readonly zone: Zone;
  readonly list: PeerList;
  readonly failures: FailedHosts;
  readonly identity: Identity;
  /** How peers are reached; undefined when only they can reach us. */
  readonly transport: Transport | undefined;
  /** Connections go through a proxy, which takes its time. */
  readonly proxied: boolean;
  /** Our hidden service, told to peers that we connected to. */
  readonly ownAddress: NetAddress | undefined;
  /** Whether the address a connection comes from can be connected to in turn. */
  readonly backPing: boolean;
  /** Own transactions hide in a constant stream of frames. */
  readonly noise: boolean;
  /** The only peers to connect to, as far as they are known now; undefined for those of the lists. */
  readonly fixedPeers?: () => readonly NetAddress[];
  /** Most incoming and wanted outgoing connections. */
  inPeers(): number;
  outPeers(): number;
}

/** The networks this node takes part in; the public one always. */
export class Zones {
  readonly public: NetworkZone;
  readonly #zones: ReadonlyMap<Zone, NetworkZone>;
  /** Saved peers of networks that are not taken part in this time. */
  #elsewhere: PeerListSnapshot = { white: [], gray: [], anchor: [] };

  constructor(zones: readonly NetworkZone[]) {
    this.#zones = new Map(zones.map((zone) => [zone.zone, zone]));
    const known = this.#zones.get('public');
    if (!known) throw new RangeError('there is always a public zone');
    this.public = known;
  }

  [Symbol.iterator](): IterableIterator<NetworkZone> {
    return this.#zones.values();
  }

  of(address: NetAddress): NetworkZone | undefined {
    return this.#zones.get(zoneOf(address));
  }

  /** The zone of a connected peer. */
  ofPeer({ address }: { address: NetAddress }): NetworkZone {
    const zone = this.of(address);
    if (!zone) throw new RangeError('a peer of a network that is not taken part in');
    return zone;
  }

  /** The lists of all zones together, for saving. */
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
