import { randomBelow } from '@monero-node/base';
import type { RandomSource } from '@monero-node/base';
import { stripeOfSeed } from '@monero-node/consensus';
import { subnetGroup, unmapped } from '../../net/ip-address.ts';
import { shuffle } from '../shuffle.ts';
import type { KnownPeer } from './known-peer.ts';

/** White peers among which to choose. */
const WHITE_CANDIDATES = 20;
/** Resolution of the random number that chooses among white peers. */
const SCALE = 16;

export interface ChoiceContext {
  /** Groups ({@link subnetGroup}) with a connected peer. */
  connectedGroups: ReadonlySet<string>;
  /** Pruning stripe that is needed, 1..8, or 0. */
  stripe: number;
  /** Whether a peer may be dialled: it is not connected, banned, ourselves or unreachable. */
  isUsable: (peer: KnownPeer) => boolean;
  /** In [0, 1). */
  random: RandomSource;
}

/**
 * Returns the peer to connect to next: at most one candidate per host, preferably from a subnet without a connected peer.
 * White peers are chosen with a bias towards those seen last, gray peers evenly.
 * Source: make_new_connection_from_peerlist in src/p2p/net_node.inl
 * @param peers last seen first
 */
export function choosePeer(
  peers: readonly KnownPeer[],
  kind: 'white' | 'gray',
  context: ChoiceContext,
): KnownPeer | undefined {
  const usable = onePerHost(peers).filter((peer) => context.isUsable(peer));
  for (const candidates of [onePerSubnet(usable, context), usable]) {
    const fitting = byStripe(candidates, kind, context.stripe);
    if (fitting.length === 0) continue;
    const index =
      kind === 'white'
        ? biasedIndex(fitting.length - 1, context.random)
        : randomBelow(fitting.length, context.random);
    return fitting[index];
  }
  return undefined;
}

/** Keeps one peer per host, so that an attacker gains nothing by announcing many ports. */
function onePerHost(peers: readonly KnownPeer[]): KnownPeer[] {
  const hosts = new Set<string>();
  return peers.filter(({ address }) => {
    const { host } = unmapped(address);
    if (hosts.has(host)) return false;
    hosts.add(host);
    return true;
  });
}

function onePerSubnet(peers: readonly KnownPeer[], context: ChoiceContext): KnownPeer[] {
  const taken = new Set(context.connectedGroups);
  const shuffled = [...peers];
  shuffle(shuffled, context.random);
  const chosen = shuffled.filter(({ address }) => {
    const group = subnetGroup(address);
    if (group === undefined) return true;
    if (taken.has(group)) return false;
    taken.add(group);
    return true;
  });
  return chosen.sort((a, b) => b.lastSeen - a.lastSeen);
}

/** Puts the peers that hold the stripe first, and leaves out those that hold another one. */
function byStripe(
  peers: readonly KnownPeer[],
  kind: 'white' | 'gray',
  stripe: number,
): KnownPeer[] {
  const limit = kind === 'white' ? WHITE_CANDIDATES : Infinity;
  const fitting: KnownPeer[] = [];
  for (const peer of peers) {
    if (fitting.length >= limit) break;
    if (stripe === 0 || peer.pruningSeed === 0) fitting.push(peer);
    else if (stripeOfSeed(peer.pruningSeed) === stripe) fitting.unshift(peer);
  }
  return fitting;
}

/** Returns an index in 0..`max`. Its cube root is evenly distributed, so small indexes are more likely. */
export function biasedIndex(max: number, random: RandomSource): number {
  if (max === 0) return 0;
  const x = randomBelow(SCALE * max + 1, random);
  return Math.floor((x * x * x) / (max * max * SCALE * SCALE * SCALE));
}
