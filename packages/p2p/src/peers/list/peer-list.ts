import { randomBelow } from '@monero-node/base';
import type { RandomSource } from '@monero-node/base';
import { formatPeerAddress, isUnknown } from '../../net/address.ts';
import { privateRange, unmapped } from '../../net/ip-address.ts';
import type { AnchorPeer, KnownPeer } from './known-peer.ts';
import { shuffle } from '../shuffle.ts';
import type { NetAddress } from '../../net/address.ts';

const WHITE_LIMIT = 1000;
const GRAY_LIMIT = 5000;
/** Most peers sent in one message, and most accepted in one. */
export const MAX_PEERS_IN_HANDSHAKE = 250;

export interface PeerListSnapshot {
  white: KnownPeer[];
  gray: KnownPeer[];
  anchor: AnchorPeer[];
}

/**
 * The known peers of one zone: white peers, which have answered us, gray peers, of which others told us, and anchors.
 * Source: peerlist_manager in src/p2p/net_peerlist.h
 */
export class PeerList {
  readonly #allowLocalIp: boolean;
  readonly #allowLoopback: boolean;
  readonly #random: RandomSource;
  readonly #white = new Map<string, KnownPeer>();
  readonly #gray = new Map<string, KnownPeer>();
  readonly #anchor = new Map<string, AnchorPeer>();

  constructor(options: { allowLocalIp: boolean; allowLoopback?: boolean; random?: RandomSource }) {
    this.#allowLocalIp = options.allowLocalIp;
    this.#allowLoopback = options.allowLoopback ?? false;
    this.#random = options.random ?? Math.random;
  }

  get whiteCount(): number {
    return this.#white.size;
  }

  get grayCount(): number {
    return this.#gray.size;
  }

  /** Returns whether an address may enter the lists: libp2p never, loopback and private addresses only if allowed. */
  isAllowed(address: NetAddress): boolean {
    if (isUnlisted(address)) return false;
    const range = privateRange(address);
    if (range === 'loopback') return this.#allowLoopback;
    return range === undefined || this.#allowLocalIp;
  }

  /**
   * Adds a peer that answered us. `trusted` (our own handshake or timed sync) also updates the time of a known entry.
   * A host has at most one white entry; the nodes of a private network on loopback all have the same.
   */
  addWhite(peer: KnownPeer, trusted: boolean): void {
    if (!this.isAllowed(peer.address)) return;
    const key = formatPeerAddress(peer.address);
    const known = this.#white.get(key);
    if (!known && privateRange(peer.address) !== 'loopback')
      this.#removeHost(this.#white, peer.address);
    this.#white.set(key, known ? merge(known, peer, trusted) : peer);
    this.#gray.delete(key);
    trim(this.#white, WHITE_LIMIT);
  }

  /** Adds peers that another peer named. */
  addGray(peers: readonly KnownPeer[]): void {
    for (const peer of peers) {
      if (!this.isAllowed(peer.address)) continue;
      const key = formatPeerAddress(peer.address);
      if (this.#white.has(key)) continue;
      const known = this.#gray.get(key);
      this.#gray.set(key, known ? merge(known, peer, false) : peer);
    }
    trim(this.#gray, GRAY_LIMIT);
  }

  addAnchor(peer: AnchorPeer): void {
    const key = formatPeerAddress(peer.address);
    if (isUnlisted(peer.address)) return;
    if (!this.#anchor.has(key)) this.#anchor.set(key, peer);
  }

  removeAnchor(address: NetAddress): void {
    this.#anchor.delete(formatPeerAddress(address));
  }

  /** Removes the anchors and returns them, oldest first. */
  takeAnchors(): AnchorPeer[] {
    const anchors = [...this.#anchor.values()].sort((a, b) => a.firstSeen - b.firstSeen);
    this.#anchor.clear();
    return anchors;
  }

  removeGray(address: NetAddress): void {
    this.#gray.delete(formatPeerAddress(address));
  }

  /** Returns the address of every entry. */
  addresses(): NetAddress[] {
    const lists = [this.#white, this.#gray, this.#anchor];
    return lists.flatMap((list) => [...list.values()].map(({ address }) => address));
  }

  /** Removes every entry whose address matches. */
  removeMatching(matches: (address: NetAddress) => boolean): void {
    for (const list of [this.#white, this.#gray, this.#anchor])
      for (const [key, { address }] of list) if (matches(address)) list.delete(key);
  }

  /** Returns the white peers, last seen first. */
  white(): KnownPeer[] {
    return byLastSeen(this.#white);
  }

  /** Returns the gray peers, last seen first. */
  gray(): KnownPeer[] {
    return byLastSeen(this.#gray);
  }

  randomGray(): KnownPeer | undefined {
    const peers = [...this.#gray.values()];
    return peers[randomBelow(peers.length, this.#random)];
  }

  /** Returns a random choice of white peers to send to another peer, without the times at which we saw them. */
  toSend(limit = MAX_PEERS_IN_HANDSHAKE): KnownPeer[] {
    const peers = [...this.#white.values()];
    shuffle(peers, this.#random);
    return peers.slice(0, limit).map((peer) => ({ ...peer, lastSeen: 0 }));
  }

  snapshot(): PeerListSnapshot {
    return { white: this.white(), gray: this.gray(), anchor: [...this.#anchor.values()] };
  }

  restore(snapshot: PeerListSnapshot): void {
    this.addGray(snapshot.gray);
    for (const peer of [...snapshot.white].reverse()) this.addWhite(peer, true);
    for (const peer of snapshot.anchor) this.addAnchor(peer);
  }

  #removeHost(list: Map<string, KnownPeer>, address: NetAddress): void {
    const { host } = unmapped(address);
    for (const [key, peer] of list) if (unmapped(peer.address).host === host) list.delete(key);
  }
}

/** Whether other peers could not connect to an address: an unknown one, or the id of a libp2p peer. */
function isUnlisted(address: NetAddress): boolean {
  return isUnknown(address) || address.kind === 'libp2p';
}

/** Older nodes do not pass on pruning seeds and RPC ports, so 0 does not replace a known value. */
function merge(known: KnownPeer, peer: KnownPeer, trusted: boolean): KnownPeer {
  return {
    ...peer,
    pruningSeed: peer.pruningSeed || known.pruningSeed,
    rpcPort: peer.rpcPort || known.rpcPort,
    lastSeen: trusted ? peer.lastSeen : known.lastSeen,
  };
}

function byLastSeen(list: Map<string, KnownPeer>): KnownPeer[] {
  return [...list.values()].sort((a, b) => b.lastSeen - a.lastSeen);
}

/** Removes the entries seen longest ago; of equal ones, those that were added first. Looks at each entry once. */
function trim(list: Map<string, KnownPeer>, limit: number): void {
  const excess = list.size - limit;
  if (excess <= 0) return;
  const ages = Array.from(list, ([key, { lastSeen }]) => ({ key, lastSeen }));
  ages.sort((a, b) => a.lastSeen - b.lastSeen);
  for (const { key } of ages.slice(0, excess)) list.delete(key);
}
