import {
  hasPrunedWeights,
  hasWholeBlock,
  rulesFor,
  versionAtHeight,
  stripeOfHeight,
  stripeOfSeed,
} from '@monero-node/consensus';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { MayBePruned, BlockRun } from './peer-chain.ts';
import { type Span, spanEnd } from './span-queue.ts';
import type { SpanQueue } from './span-queue.ts';
import type { SyncPeer } from './sync-peer.ts';

/**
 * Returns whether a block may be downloaded without prunable data: this node is pruned and would not keep it whole, its
 * id and weight are precomputed, and pruned transactions have weights in its fork. Returns undefined if no block may be.
 * Source: should_ask_for_pruned_data in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export function blocksToTakePruned(
  chain: Pick<ChainForP2p, 'pruningSeed' | 'network' | 'knownWeight'>,
): MayBePruned | undefined {
  const { pruningSeed, network } = chain;
  if (pruningSeed === 0) return undefined;
  return (height, peerHeight) =>
    !hasWholeBlock(height, peerHeight, pruningSeed) &&
    chain.knownWeight(height) !== undefined &&
    hasPrunedWeights(rulesFor(versionAtHeight(network, height)));
}

/** The next step with a peer from which we synchronize. */
export type Step =
  /** Request its block ids; `after` is the last id that it sent. */
  | { do: 'request-chain'; after?: string }
  /** Request blocks that were requested from no peer. */
  | { do: 'request-blocks'; run: BlockRun }
  /** Request blocks that another peer takes too long to deliver. */
  | { do: 'request-again'; span: Span }
  | { do: 'wait'; lacksStripe: boolean }
  /** All its blocks are in our chain. */
  | { do: 'finish' }
  | { do: 'drop'; reason: string; penalty: number };

export interface PlanContext {
  readonly queue: SpanQueue;
  readonly chainHeight: number;
  readonly now: number;
  /** Blocks per request. */
  readonly batch: number;
  /** Whether blocks that are not needed next may be downloaded. */
  readonly room: boolean;
  where(id: string): 'main' | 'alt' | 'invalid' | undefined;
  peer(id: string): SyncPeer | undefined;
  /** Which blocks may be downloaded pruned; none when absent. */
  readonly mayBePruned?: MayBePruned;
}

/** Returns the next step with a peer that has no request pending. Changes nothing. */
export function planStep(peer: SyncPeer, context: PlanContext): Step {
  const { chain } = peer;
  if (!chain) return { do: 'request-chain' };
  const known = chain.countKnown((id) => isKnown(context.where(id)));
  if (known === chain.ids.length) return afterLastId(peer);
  const first = chain.firstUnknown;
  if (first !== undefined && context.where(first) === 'invalid')
    return { do: 'drop', reason: 'its chain has an invalid block', penalty: 1 };
  return (
    nextBlocks(peer, context) ??
    takeOver(peer, context) ??
    moreIds(peer, context) ?? { do: 'wait', lacksStripe: lacksStripe(peer, context) }
  );
}

function isKnown(where: ReturnType<PlanContext['where']>): boolean {
  return where === 'main' || where === 'alt';
}

/** All ids of the last chain entry are in our chain. */
function afterLastId(peer: SyncPeer): Step {
  const { chain } = peer;
  if (!chain || chain.end >= peer.height) return { do: 'finish' };
  return { do: 'request-chain', after: chain.lastId };
}

function nextBlocks(peer: SyncPeer, context: PlanContext): Step | undefined {
  const run = peer.chain?.nextRun(context.queue, context.batch, peer, context.mayBePruned);
  if (!run) return undefined;
  // The blocks needed next, and those of competing branches, are requested even when the queue is full.
  const needed = run.start <= context.chainHeight;
  return needed || context.room ? { do: 'request-blocks', run } : undefined;
}

/** Requests further ids once all known ones are downloaded. */
function moreIds(peer: SyncPeer, { queue, room }: PlanContext): Step | undefined {
  const { chain } = peer;
  if (!chain || !room || chain.end >= peer.height || !chain.isDownloaded(queue)) return undefined;
  return { do: 'request-chain', after: chain.lastId };
}

/** Milliseconds after which the next span is requested again from any peer, and from a faster peer. */
const TAKE_OVER_MS = 30_000;
const TAKE_OVER_FAST_MS = 5_000;
const STALL_MS = 2_000;
/** Fraction of its best speed that a waiting peer is expected to reach. */
const EXPECTED_SPEED = 0.8;
const MAX_FACTOR = 10;
const MIN_FACTOR = 1.25;

/** Requests the span that verification waits for from this peer as well, if its owner is too slow. */
function takeOver(peer: SyncPeer, context: PlanContext): Step | undefined {
  const span = context.queue.nextSpan(context.chainHeight);
  if (!span || span.blocks || span.owner === peer.peer.id) return undefined;
  const { chain } = peer;
  if (!chain || chain.idAt(span.start) !== span.ids[0] || peer.height <= context.chainHeight)
    return undefined;
  if (chain.idAt(span.start + span.ids.length - 1) !== span.ids.at(-1)) return undefined;
  if (!canGive(peer, span)) return undefined;
  const waited = context.now - span.requestedAt;
  const owner = context.peer(span.owner);
  if (waited >= TAKE_OVER_MS || !owner) return { do: 'request-again', span };
  if (waited < TAKE_OVER_FAST_MS) return undefined;
  const stalled = Math.min(context.now - owner.peer.connection.lastReceive, waited) > STALL_MS;
  return stalled || isFaster(peer, owner, waited) ? { do: 'request-again', span } : undefined;
}

/** Whether a peer has the blocks of a span in the requested form. */
function canGive(peer: SyncPeer, span: Span): boolean {
  const { height, pruningSeed } = peer;
  const ends = [span.start, spanEnd(span) - 1];
  return span.prune === true || ends.every((at) => hasWholeBlock(at, height, pruningSeed));
}

/** Whether a peer is fast enough to take over; the factor required falls as the wait grows. */
function isFaster(peer: SyncPeer, owner: SyncPeer, waited: number): boolean {
  const progress = (waited - TAKE_OVER_FAST_MS) / (TAKE_OVER_MS - TAKE_OVER_FAST_MS);
  const factor = Math.max(MIN_FACTOR, MAX_FACTOR - progress * (MAX_FACTOR - MIN_FACTOR));
  const speed = peer.peer.connection.speedDown.max * EXPECTED_SPEED;
  return speed > owner.peer.connection.speedDown.current * factor;
}

/** Whether a pruned peer does not hold the blocks needed next. */
function lacksStripe(peer: SyncPeer, { queue, chainHeight, mayBePruned }: PlanContext): boolean {
  const own = stripeOfSeed(peer.pruningSeed);
  const next = queue.nextNeededHeight(chainHeight);
  if (own === 0 || mayBePruned?.(next, peer.height) === true) return false;
  const wanted = stripeOfHeight(next, peer.height);
  return wanted !== 0 && wanted !== own;
}
