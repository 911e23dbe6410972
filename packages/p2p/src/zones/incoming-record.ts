import type { MillisecondClock } from '@monero-node/base';
import { zoneOf, type Zone } from '../net/address.ts';
import { privateRange } from '../net/ip-address.ts';
import type { IncomingByZone, IncomingTimes } from '../peers/list/peer-file.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';

/**
 * Whether and when peers have come to this node, over restarts. A peer counts once it has introduced itself, so scanners of ports do
 * not; nor do peers on this machine, which show nothing about the way from outside.
 */
export class IncomingRecord {
  readonly #peers: PeerSet;
  readonly #unixNow: MillisecondClock;
  readonly #times = new Map<Zone, IncomingTimes>();

  /** @param unixNow milliseconds since 1970 */
  constructor(peers: PeerSet, unixNow: MillisecondClock) {
    this.#peers = peers;
    this.#unixNow = unixNow;
  }

  /** Notes that a peer is connected at present; one that does not count is ignored. */
  saw(peer: Peer): void {
    if (!counts(peer)) return;
    const zone = zoneOf(peer.address);
    const now = Math.floor(this.#unixNow() / 1000);
    const { first = now, last = now } = this.#times.get(zone) ?? {};
    // The clock may have been set back.
    this.#times.set(zone, { first: Math.min(first, now), last: Math.max(last, now) });
  }

  /** Returns the number of incoming peers of a network. */
  connected(zone: Zone): number {
    return this.#peers.count((peer) => counts(peer) && zoneOf(peer.address) === zone);
  }

  /** Returns the times of all networks. Those that peers are connected from were seen just now. */
  times(): IncomingByZone {
    for (const peer of this.#peers) this.saw(peer);
    return Object.fromEntries(this.#times);
  }

  /** Takes over what was saved. */
  restore(saved: IncomingByZone): void {
    for (const [zone, times] of Object.entries(saved)) this.#times.set(zone as Zone, times);
  }
}

function counts(peer: Peer): boolean {
  return peer.incoming && peer.handshaked && privateRange(peer.address) !== 'loopback';
}
