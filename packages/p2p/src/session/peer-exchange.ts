import { randomBelow } from '@monero-node/base';
import type { MillisecondClock, RandomSource } from '@monero-node/base';
import type { PeerListEntry } from '../messages/peer-entries.ts';
import { formatPeerAddress, zoneOf } from '../net/address.ts';
import type { BanList } from '../peers/bans/bans.ts';
import { MAX_PEERS_IN_HANDSHAKE } from '../peers/list/peer-list.ts';
import type { KnownPeer } from '../peers/list/known-peer.ts';
import type { Peer } from '../peers/peer.ts';
import { acceptPeerList, toPeerListEntry } from '../peers/list/received-list.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { Zones } from '../zones/zones.ts';
import type { OwnAddresses } from './own-addresses.ts';

export interface PeerExchangeDependencies {
  readonly zones: Zones;
  readonly bans: BanList;
  readonly sync: ChainSync;
  readonly ownAddresses: OwnAddresses;
  /** Milliseconds since 1970. */
  readonly unixNow: MillisecondClock;
  /** In [0, 1). */
  readonly random: RandomSource;
}

/** The peer lists that are sent and received in handshakes and timed syncs. */
export class PeerExchange {
  readonly #deps: PeerExchangeDependencies;
  /** Addresses already sent to each peer. */
  readonly #sent = new WeakMap<Peer, Set<string>>();

  constructor(deps: PeerExchangeDependencies) {
    this.#deps = deps;
  }

  /** Adds the peers of a received list to the gray list. Returns false if the list is not acceptable. */
  take(peer: Peer, entries: readonly PeerListEntry[]): boolean {
    const accepted = acceptPeerList(entries, zoneOf(peer.address));
    if (!accepted) return false;
    const { identity, list, zone } = this.#deps.zones.ofPeer(peer);
    // In anonymity networks all nodes have the same id.
    if (zone === 'public') {
      const own = accepted.filter(({ id }) => id === identity.peerId);
      this.#deps.ownAddresses.heard(own, peer.address);
    }
    list.addGray(accepted.filter((known) => this.#isWelcome(known)));
    return true;
  }

  /** Whether a peer is worth keeping: neither banned nor unreachable within the last hour. */
  #isWelcome({ address }: KnownPeer): boolean {
    const { bans, zones } = this.#deps;
    return (
      bans.secondsLeft(address.host) === undefined &&
      zones.of(address)?.failures.has(address) !== true
    );
  }

  /** Returns a random choice of white peers for the answer to a handshake. */
  forHandshake(peer: Peer): PeerListEntry[] {
    return this.#note(peer, this.#deps.zones.ofPeer(peer).list.toSend());
  }

  /** Returns a random choice of white peers for the answer to a timed sync, each sent only once per connection. */
  forTimedSync(peer: Peer): PeerListEntry[] {
    const sent = this.#sent.get(peer);
    const fresh = this.#choose(peer).filter(
      ({ address }) => !sent?.has(formatPeerAddress(address)),
    );
    return this.#note(peer, fresh);
  }

  /** Hidden services cannot see who connects to them, so our own address is put among the others. */
  #choose(peer: Peer): KnownPeer[] {
    const { random, zones } = this.#deps;
    const { identity, list, ownAddress } = zones.ofPeer(peer);
    if (peer.incoming || !ownAddress) return list.toSend(MAX_PEERS_IN_HANDSHAKE);
    const known = list.toSend(MAX_PEERS_IN_HANDSHAKE - 1);
    const at = randomBelow(known.length + 1, random);
    const own = { address: ownAddress, id: identity.peerId, lastSeen: 0 };
    known.splice(at, 0, { ...own, pruningSeed: 0, rpcPort: 0, rpcCreditsPerHash: 0 });
    return known;
  }

  #note(peer: Peer, known: readonly KnownPeer[]): PeerListEntry[] {
    const sent = this.#sent.get(peer) ?? new Set();
    this.#sent.set(peer, sent);
    for (const { address } of known) sent.add(formatPeerAddress(address));
    return known.map(toPeerListEntry);
  }

  /** Adds an outgoing peer to the white list: it has just answered. */
  addAnswering(peer: Peer): void {
    const { sync, unixNow, zones } = this.#deps;
    const { peerId, rpcCreditsPerHash, rpcPort } = peer.identity;
    const { pruningSeed } = sync.stateOf(peer);
    const lastSeen = Math.floor(unixNow() / 1000);
    const { address } = peer;
    zones
      .ofPeer(peer)
      .list.addWhite(
        { address, id: peerId, lastSeen, pruningSeed, rpcPort, rpcCreditsPerHash },
        true,
      );
  }
}
