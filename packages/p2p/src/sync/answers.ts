import type { MillisecondClock } from '@monero-node/base';
import type { ResponseObjects } from '../messages/blocks.ts';
import type { ResponseChain } from '../messages/chain.ts';
import { Violation } from '../peers/violation.ts';
import type { BlockFeeder } from './block-feeder.ts';
import { checkChainEntry } from './chain-entry.ts';
import type { ChainForP2p } from './chain.ts';
import type { Downloads } from './downloads.ts';
import { checkObjects } from './objects.ts';
import type { PeerClaims } from './peer-claims.ts';
import { pruneFlag } from './prune-flag.ts';
import type { SpanQueue } from './span-queue.ts';
import type { SyncPeer } from './sync-peer.ts';
import type { SyncPeers } from './sync-peers.ts';

const UNSOLICITED = new Violation('an answer that was not asked for', 1);

export interface AnswersDependencies {
  readonly chain: ChainForP2p;
  readonly peers: SyncPeers;
  readonly queue: SpanQueue;
  readonly claims: PeerClaims;
  readonly downloads: Downloads;
  readonly feeder: BlockFeeder;
  readonly now: MillisecondClock;
}

/** Checks the answers to our chain and block requests and puts them to use. */
export class Answers {
  readonly #deps: AnswersDependencies;

  constructor(deps: AnswersDependencies) {
    this.#deps = deps;
  }

  async onChainEntry(peer: SyncPeer, entry: ResponseChain): Promise<void> {
    const { chain, claims, downloads, peers, queue } = this.#deps;
    const { pending } = peer;
    if (pending?.kind !== 'chain') return peers.drop(peer, UNSOLICITED);
    const checked = await checkChainEntry(entry, pending.maxStart, { chain, queue });
    if (peer.peer.connection.closed || peer.pending !== pending) return;
    peer.pending = undefined;
    if (checked instanceof Violation) return peers.drop(peer, checked);
    if (!claims.updateHeight(peer, entry.total_height)) return;
    if (peer.chain && checked.end <= peer.chain.end && checked.end < peer.height) {
      // It claims more than it shows. Asking again would bring the same answer.
      peers.drop(peer, new Violation('nothing new in its chain entry', 0));
      return;
    }
    peer.chain = checked;
    downloads.advance(peer);
  }

  async onObjects(peer: SyncPeer, answer: ResponseObjects): Promise<void> {
    const { claims, downloads, feeder, now, peers, queue } = this.#deps;
    const { pending, chain } = peer;
    if (pending?.kind !== 'objects' || !chain) return peers.drop(peer, UNSOLICITED);
    const checked = await checkObjects(answer.blocks, pending, chain);
    const { address, connection, id: owner } = peer.peer;
    if (connection.closed || peer.pending !== pending) return;
    peer.pending = undefined;
    if (checked instanceof Violation) return peers.drop(peer, checked);
    if (!claims.updateHeight(peer, answer.current_blockchain_height)) return;
    const { ids, start, prune, since } = pending;
    const seconds = Math.max(1, now() - since) / 1000;
    queue.fill(
      { start, ids, owner, address, requestedAt: since, ...pruneFlag(prune) },
      { ...checked, rate: checked.size / seconds },
    );
    feeder.kick();
    downloads.advance(peer);
  }
}
