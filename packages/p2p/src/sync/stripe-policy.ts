import { nextStripe, stripeDistance, stripeOfHeight, stripeOfSeed } from '@monero-node/consensus';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { SpanQueue } from './span-queue.ts';
import type { SyncPeer, SyncPeers } from './sync-peer.ts';
import type { SyncTarget } from './progress.ts';

/** A height that no chain reaches; assumed while no peer's height is known. */
const FAR_AWAY = 500_000_000;
/** With more peers than this on a stripe, the following stripe is looked for. */
const ENOUGH_PEERS = 2;

export interface StripePolicyDeps {
  peers: SyncPeers;
  queue: SpanQueue;
  chain: ChainForP2p;
  target: SyncTarget;
  outPeers: () => number;
}

/**
 * Decides which pruned peers to connect to and to keep.
 * Source: get_next_needed_pruning_stripe in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export class StripePolicy {
  readonly #deps: StripePolicyDeps;

  constructor(deps: StripePolicyDeps) {
    this.#deps = deps;
  }

  /** Returns the stripe that new peers should hold, 1..8, or 0 when any peer will do. */
  wanted(): number {
    const { peers, outPeers } = this.#deps;
    const next = this.#needed();
    if (next === 0) return 0;
    const following = nextStripe(next);
    let onNext = 0;
    let onFollowing = 0;
    for (const peer of peers) {
      if (peer.state === 'before_handshake') continue;
      const stripe = stripeOfSeed(peer.pruningSeed);
      if (stripe === 0 || stripe === next) onNext++;
      else if (stripe === following) onFollowing++;
    }
    const enough =
      (onNext > Math.floor(outPeers() / 2) && onFollowing <= 1) ||
      (onNext > ENOUGH_PEERS && onFollowing === 0);
    return enough ? following : next;
  }

  /** Returns whether an outgoing pruned peer should make room for one that holds the needed stripe. */
  shouldDrop(record: SyncPeer): boolean {
    const { peers, outPeers } = this.#deps;
    const { peer } = record;
    const own = stripeOfSeed(record.pruningSeed);
    const next = this.#needed();
    if (peer.incoming || peer.anchor || own === 0 || next === 0 || own === next) return false;
    const outgoing = peers.count((other) => !other.peer.incoming);
    const onNext = peers.count(
      (other) => other.state !== 'before_handshake' && stripeOfSeed(other.pruningSeed) === next,
    );
    const distance = stripeDistance(next, own);
    return (
      (outgoing >= outPeers() && onNext === 0) || (distance > 1 && onNext <= 2) || distance > 2
    );
  }

  #needed(): number {
    const { chain, queue, target } = this.#deps;
    const wanted = queue.nextNeededHeight(chain.height);
    return stripeOfHeight(wanted, target.height || FAR_AWAY);
  }
}
