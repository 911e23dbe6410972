import {
  formatPeerAddress,
  isLocal,
  isLoopbackAddress,
  isUnknown,
  unmapped,
} from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';

const WHITE_LIMIT = 1000;
const GRAY_LIMIT = 5000;
/** Most peers told to others at once, and most accepted from them. */
export const MAX_PEERS_IN_HANDSHAKE = 250;

/** A known peer. */
export interface KnownPeer {
  readonly address: NetAddress;
  readonly id: bigint;
  /** Unix seconds; 0 is unknown. */
  readonly lastSeen: number;
  readonly pruningSeed: number;
  readonly rpcPort: number;
  readonly rpcCreditsPerHash: number;
}

/** An outgoing peer of the last run, to be tried first. */
export interface AnchorPeer {
  readonly address: NetAddress;
  readonly id: bigint;
  /** Unix seconds. */
  readonly firstSeen: number;
}

export interface PeerListSnapshot {
  white: KnownPeer[];
  gray: KnownPeer[];
  anchor: AnchorPeer[];
}

/**
 * The known peers of one zone (`src/p2p/net_peerlist.h`): white ones we have talked to ourselves,
 * gray ones we were told of, and anchors.
 */
export class PeerList {
  readonly #allowLocalIp: boolean;
  readonly #random: () => number;
  readonly #white = new Map<string, KnownPeer>();
  readonly #gray = new Map<string, KnownPeer>();
  readonly #anchor = new Map<string, AnchorPeer>();

  constructor(options: { allowLocalIp: boolean; random?: () => number }) {
    this.#allowLocalIp = options.allowLocalIp;
    this.#random = options.random ?? Math.random;
  }

  get whiteCount(): number {
    return this.#white.size;
  }

  get grayCount(): number {
    return this.#gray.size;
  }

  /** Loopback and libp2p peers never enter the lists, private addresses only when allowed. */
  isAllowed(address: NetAddress): boolean {
    if (isUnlisted(address) || isLoopbackAddress(address)) return false;
    return this.#allowLocalIp || !isLocal(address);
  }

  /**
   * A peer answered us. `trusted` (our own handshake or timed sync) also renews the time of a known
   * entry. One host holds one white entry.
   */
  addWhite(peer: KnownPeer, trusted: boolean): void {
    if (!this.isAllowed(peer.address)) return;
    const key = formatPeerAddress(peer.address);
    const known = this.#white.get(key);
    if (!known) this.#removeHost(this.#white, peer.address);
    this.#white.set(key, known ? merge(known, peer, trusted) : peer);
    this.#gray.delete(key);
    trim(this.#white, WHITE_LIMIT);
  }

  /** Someone told us of a peer. */
  addGray(peer: KnownPeer): void {
    if (!this.isAllowed(peer.address)) return;
    const key = formatPeerAddress(peer.address);
    if (this.#white.has(key)) return;
    const known = this.#gray.get(key);
    this.#gray.set(key, known ? merge(known, peer, false) : peer);
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

  /** Hands over the anchors, oldest first, and forgets them. */
  takeAnchors(): AnchorPeer[] {
    const anchors = [...this.#anchor.values()].sort((a, b) => a.firstSeen - b.firstSeen);
    this.#anchor.clear();
    return anchors;
  }

  removeGray(address: NetAddress): void {
    this.#gray.delete(formatPeerAddress(address));
  }

  /** Forgets every entry whose address matches. */
  removeMatching(matches: (address: NetAddress) => boolean): void {
    for (const list of [this.#white, this.#gray, this.#anchor])
      for (const [key, { address }] of list) if (matches(address)) list.delete(key);
  }

  /** White peers, last seen first. */
  white(): KnownPeer[] {
    return byLastSeen(this.#white);
  }

  /** Gray peers, last seen first. */
  gray(): KnownPeer[] {
    return byLastSeen(this.#gray);
  }

  randomGray(): KnownPeer | undefined {
    const peers = [...this.#gray.values()];
    return peers[Math.floor(this.#random() * peers.length)];
  }

  /** A random choice of white peers for others, without the times we saw them. */
  toSend(limit = MAX_PEERS_IN_HANDSHAKE): KnownPeer[] {
    const peers = [...this.#white.values()];
    shuffle(peers, this.#random);
    return peers.slice(0, limit).map((peer) => ({ ...peer, lastSeen: 0 }));
  }

  snapshot(): PeerListSnapshot {
    return { white: this.white(), gray: this.gray(), anchor: [...this.#anchor.values()] };
  }

  restore(snapshot: PeerListSnapshot): void {
    for (const peer of snapshot.gray) this.addGray(peer);
    for (const peer of [...snapshot.white].reverse()) this.addWhite(peer, true);
    for (const peer of snapshot.anchor) this.addAnchor(peer);
  }

  #removeHost(list: Map<string, KnownPeer>, address: NetAddress): void {
    const { host } = unmapped(address);
    for (const [key, peer] of list) if (unmapped(peer.address).host === host) list.delete(key);
  }
}

/** Nobody could be sent there: an unknown place, or a peer whose id says nothing of its place. */
function isUnlisted(address: NetAddress): boolean {
  return isUnknown(address) || address.kind === 'libp2p';
}

/** Older nodes don't hand on pruning seeds and RPC ports, so 0 does not replace what is known. */
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

/** Removes the entries seen longest ago. */
function trim(list: Map<string, KnownPeer>, limit: number): void {
  while (list.size > limit) {
    let oldest: [string, KnownPeer] | undefined;
    for (const entry of list) if (!oldest || entry[1].lastSeen < oldest[1].lastSeen) oldest = entry;
    if (oldest) list.delete(oldest[0]);
  }
}

/** Fisher-Yates. */
export function shuffle(items: unknown[], random: () => number): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
}
