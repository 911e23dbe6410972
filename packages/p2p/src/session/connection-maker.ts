import { formatPeerAddress, sameAddress, zoneOf } from '../net/address.ts';
import { subnetGroup } from '../net/ip-address.ts';
import type { NetAddress, Zone } from '../net/address.ts';
import type { BanList } from '../peers/bans/bans.ts';
import { choosePeer } from '../peers/list/choose-peer.ts';
import type { FailedHosts } from '../peers/failed-hosts.ts';
import type { PeerList } from '../peers/list/peer-list.ts';
import type { AnchorPeer, KnownPeer } from '../peers/list/known-peer.ts';
import type { Peer } from '../peers/peer.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import { SeedVisits } from './seed-visits.ts';
import type { SeedVisitsDeps } from './seed-visits.ts';

const MAKER_MS = 1_000;
/** Outgoing connections made to peers of the last run before any others. */
const ANCHOR_COUNT = 2;
/** Percentage of the outgoing connections made to white peers before gray ones are tried. */
const WHITE_SHARE = 70;
/** Connections attempted at a time. */
const MAX_DIALS = 4;
/** Milliseconds after which a node without outgoing connections dials again those that did not answer. */
const RETRY_ALONE_MS = 60_000;

/** A peer that may be dialled. */
interface Candidate {
  readonly address: NetAddress;
  readonly id: bigint;
}

type IsConnected = (candidate: Candidate) => boolean;

export type DialKind = 'exclusive' | 'priority' | 'anchor' | 'white' | 'gray' | 'seed';

export interface ConnectionMakerDeps extends Omit<SeedVisitsDeps, 'isStopped'> {
  peers: PeerSet;
  list: PeerList;
  bans: BanList;
  failures: FailedHosts;
  /** The zone whose connections are made; peers of other zones do not count. */
  zone: Zone;
  /** Whether an address is our own or of a kind to which we do not connect. */
  isExcluded: (peer: { address: NetAddress; id: bigint }) => boolean;
  /** Wanted outgoing connections. */
  outPeers: () => number;
  /** Pruning stripe that new peers should hold, 1..8, or 0. */
  stripe: () => number;
  /** Connects and makes the handshake. Resolves with false if either failed; never rejects. */
  dial: (address: NetAddress, kind: DialKind, anchor?: AnchorPeer) => Promise<boolean>;
  /** The exclusive nodes resolved so far. */
  exclusive: () => readonly NetAddress[];
  /** Whether the user named exclusive nodes, resolved or not. */
  onlyExclusive: () => boolean;
  priority: () => readonly NetAddress[];
}

/**
 * Maintains the outgoing connections of a zone: only exclusive nodes if there are any; otherwise priority nodes, the
 * peers of the last run, white and gray peers, and seeds when there are no other peers.
 * Source: connections_maker in src/p2p/net_node.inl
 */
export class ConnectionMaker {
  readonly #deps: ConnectionMakerDeps;
  readonly #dialling = new Map<string, NetAddress>();
  #timer: NodeJS.Timeout | undefined;
  readonly #seeds: SeedVisits;
  /** When all failures were forgotten last, or an outgoing connection was seen last. */
  #lastRetry: number;

  constructor(deps: ConnectionMakerDeps) {
    this.#deps = deps;
    this.#lastRetry = deps.now();
    this.#seeds = new SeedVisits({ ...deps, isStopped: () => this.#timer === undefined });
  }

  start(): void {
    this.#timer = setInterval(() => this.make(), MAKER_MS);
    this.#timer.unref();
    this.make();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Starts the missing connections. Called every second. */
  make(): void {
    const { exclusive, onlyExclusive, priority, list } = this.#deps;
    if (onlyExclusive()) {
      for (const address of exclusive()) this.#dialFixed(address, 'exclusive');
      return;
    }
    this.#retryWhenAlone();
    if (list.whiteCount === 0) void this.#seeds.visitNext();
    for (const address of priority()) this.#dialFixed(address, 'priority');
    this.#dialAnchors();
    while (this.#dialling.size < MAX_DIALS && this.#missing() > 0) if (!this.#dialKnown()) break;
    if (this.#missing() > 0 && this.#dialling.size === 0) void this.#seeds.visitNext();
  }

  /** Closes the outgoing connections to others than the exclusive nodes. */
  keepExclusive(): void {
    const { exclusive, peers, zone } = this.#deps;
    const named = exclusive();
    for (const peer of peers.filter(
      ({ incoming, address }) => !incoming && zoneOf(address) === zone,
    ))
      if (!named.some((address) => sameAddress(address, peer.address)))
        peers.drop(peer, 'only exclusive peers are wanted');
  }

  /**
   * Forgets failures when this node has been alone for a minute: its own network was away then, and those that did not answer
   * are not to blame. monerod dials nobody twice in an hour, so a node that knows few peers stays alone for that long.
   */
  #retryWhenAlone(): void {
    const { failures, now, peers, zone } = this.#deps;
    const isOurs = (peer: Peer): boolean =>
      !peer.incoming && peer.handshaked && zoneOf(peer.address) === zone;
    const isAlone = peers.count(isOurs) === 0;
    if (isAlone && now() - this.#lastRetry < RETRY_ALONE_MS) return;
    this.#lastRetry = now();
    if (isAlone) failures.clear();
  }

  #outgoing(): number {
    const { peers, zone } = this.#deps;
    const outgoing = peers.count((peer) => !peer.incoming && zoneOf(peer.address) === zone);
    return outgoing + this.#pendingDials();
  }

  /** Returns the number of dials without a connection so far. */
  #pendingDials(): number {
    const { peers } = this.#deps;
    let pending = 0;
    for (const address of this.#dialling.values())
      if (peers.count((peer) => !peer.incoming && sameAddress(peer.address, address)) === 0)
        pending++;
    return pending;
  }

  #missing(): number {
    return this.#deps.outPeers() - this.#outgoing();
  }

  #isConnected(address: NetAddress): boolean {
    return (
      this.#dialling.has(formatPeerAddress(address)) ||
      this.#deps.peers.count((peer) => !peer.incoming && sameAddress(peer.address, address)) > 0
    );
  }

  #dialFixed(address: NetAddress, kind: 'exclusive' | 'priority'): void {
    if (this.#missing() <= 0 || this.#isConnected(address)) return;
    if (this.#deps.bans.secondsLeft(address.host) !== undefined) return;
    void this.#dial(address, kind);
  }

  #dialAnchors(): void {
    if (this.#outgoing() >= ANCHOR_COUNT) return;
    for (const anchor of this.#deps.list.takeAnchors()) {
      if (this.#outgoing() >= ANCHOR_COUNT) return;
      if (this.#isUsable(anchor, this.#connections()))
        void this.#dial(anchor.address, 'anchor', anchor);
    }
  }

  /** Dials a white or gray peer. Returns false if there is none to dial. */
  #dialKnown(): boolean {
    const { outPeers, stripe } = this.#deps;
    const whiteShare = stripe() ? outPeers() : Math.floor((outPeers() * WHITE_SHARE) / 100);
    const order = this.#outgoing() < whiteShare ? ['white', 'gray'] : ['gray', 'white'];
    for (const kind of order as ('white' | 'gray')[]) {
      const peer = this.#choose(kind);
      if (!peer) continue;
      void this.#dial(peer.address, kind);
      return true;
    }
    return false;
  }

  #choose(kind: 'white' | 'gray'): KnownPeer | undefined {
    const { list, peers, random, stripe } = this.#deps;
    const addresses = [...[...peers].map((peer) => peer.address), ...this.#dialling.values()];
    const connectedGroups = new Set(addresses.flatMap((address) => subnetGroup(address) ?? []));
    const isConnected = this.#connections();
    return choosePeer(kind === 'white' ? list.white() : list.gray(), kind, {
      connectedGroups,
      stripe: stripe(),
      random,
      isUsable: (peer) => this.#isUsable(peer, isConnected),
    });
  }

  /**
   * Returns a function that says whether there is a connection, or a dial, to a peer. It looks at the connections only once:
   * thousands of candidates are asked about.
   */
  #connections(): IsConnected {
    const open = new Set(this.#dialling.keys());
    const nodes = new Set<string>();
    for (const peer of this.#deps.peers) {
      if (!peer.incoming) open.add(formatPeerAddress(peer.address));
      nodes.add(nodeKey(peer.address, peer.identity.peerId));
    }
    return ({ address, id }) =>
      open.has(formatPeerAddress(address)) || nodes.has(nodeKey(address, id));
  }

  #isUsable(candidate: Candidate, isConnected: IsConnected): boolean {
    const { address } = candidate;
    const { bans, failures, isExcluded } = this.#deps;
    if (isExcluded(candidate) || failures.has(address) || isConnected(candidate)) return false;
    return bans.secondsLeft(address.host) === undefined;
  }

  async #dial(address: NetAddress, kind: DialKind, anchor?: AnchorPeer): Promise<void> {
    const key = formatPeerAddress(address);
    this.#dialling.set(key, address);
    const connected = await this.#deps.dial(address, kind, anchor);
    this.#dialling.delete(key);
    if (!connected) this.#deps.failures.add(address);
    // Exclusive nodes may have been named meanwhile.
    else if (kind !== 'exclusive' && this.#deps.onlyExclusive()) this.keepExclusive();
  }
}

/** Key of a node: of its host and its id. */
function nodeKey({ host }: NetAddress, id: bigint): string {
  return `${id} ${host}`;
}
