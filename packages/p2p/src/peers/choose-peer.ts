import { stripeOfSeed } from '@monero-node/consensus';
import { subnetGroup, unmapped } from '../net/address.ts';
import { shuffle } from './peer-list.ts';
import type { KnownPeer } from './peer-list.ts';

/** White peers looked at. */
const WHITE_CANDIDATES = 20;
/** Resolution of the random number behind the choice among white peers. */
const SCALE = 16;

export interface ChoiceContext {
  /** Groups ({@link subnetGroup}) that we are connected to. */
  connectedGroups: ReadonlySet<string>;
  /** Stripe that is needed, or 0. */
  stripe: number;
  /** Whether a peer may be dialled at all: not in use, banned, ourselves, or tried in vain. */
  isUsable: (peer: KnownPeer) => boolean;
  /** In [0, 1). */
  random: () => number;
}

/**
 * Picks the peer to connect to next (`src/p2p/net_node.inl`, make_new_connection_from_peerlist):
 * one per host, preferably from subnets we have no peer in; white ones with a bias to those seen
 * last, gray ones evenly.
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
        : Math.floor(context.random() * fitting.length);
    return fitting[index];
  }
  return undefined;
}

/** So that many ports on one address gain nothing. */
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

/** Those that hold the stripe come first; those that hold another one are left out. */
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

/** An index from 0 to `max` whose cube root is even, so that small ones are likelier. */
export function biasedIndex(max: number, random: () => number): number {
  if (max === 0) return 0;
  const x = Math.floor(random() * (SCALE * max + 1));
  return Math.floor((x * x * x) / (max * max * SCALE * SCALE * SCALE));
}
