import type { MillisecondClock } from '@monero-node/base';
import { encodeMessage, fromHex } from '@monero-node/codec';
import type { Fields, OutputOf, Table } from '@monero-node/codec';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { MAX_BLOCKS_PER_REQUEST, REQUEST_OBJECTS } from '../messages/blocks.ts';
import { REQUEST_CHAIN } from '../messages/chain.ts';
import { COMMANDS } from '../messages/commands.ts';
import { Violation } from '../peers/bans/violation.ts';
import type { BlockFeeder } from './block-feeder.ts';
import { blocksToTakePruned, planStep } from './plan.ts';
import type { PlanContext, Step } from './plan.ts';
import { pruneFlag } from './span-queue.ts';
import type { SpanQueue } from './span-queue.ts';
import type { StripePolicy } from './stripe-policy.ts';
import type { SyncPeer, SyncPeers } from './sync-peer.ts';
import type { SyncTarget } from './progress.ts';

/** Weight that the blocks of a request should not exceed, in bytes. */
const BATCH_WEIGHT = 10_000_000;

/**
 * Returns how many blocks to request, 1..100: the user's choice, or as many as fit in ten megabytes if all of them are as
 * heavy as the heaviest recent block.
 * Source: get_block_sync_size in src/cryptonote_core/cryptonote_core.cpp
 * @param heaviest weight of the heaviest of the last 100 blocks or of those in the queue
 */
export function batchSize(chosen: number, heaviest: number): number {
  if (chosen > 0) return Math.min(chosen, MAX_BLOCKS_PER_REQUEST);
  if (heaviest * MAX_BLOCKS_PER_REQUEST < BATCH_WEIGHT) return MAX_BLOCKS_PER_REQUEST;
  if (heaviest >= BATCH_WEIGHT / 2) return 1;
  return Math.floor(BATCH_WEIGHT / heaviest);
}

/** Newest blocks whose weights the size of a request depends on. */
const WEIGHT_WINDOW = 100;

interface RequestSizeDependencies {
  readonly chain: ChainForP2p;
  readonly queue: SpanQueue;
  readonly feeder: Pick<BlockFeeder, 'blocksAtOnce'>;
}

/** How many blocks to request at once, given the weight of recent blocks and the speed of verification. */
export class RequestSize {
  readonly #chosen: number;
  readonly #deps: RequestSizeDependencies;
  #heaviest = { height: -1, weight: 0 };

  /** @param chosen blocks per request; 0 is the default rule */
  constructor(chosen: number, deps: RequestSizeDependencies) {
    this.#chosen = chosen;
    this.#deps = deps;
  }

  get blocks(): number {
    const { feeder, queue } = this.#deps;
    if (this.#chosen > 0) return batchSize(this.#chosen, 0);
    const heaviest = Math.max(this.#heaviestRecent(), queue.largestAverageBlock());
    return Math.min(batchSize(0, heaviest), feeder.blocksAtOnce);
  }

  /** The weight of the heaviest of the newest blocks, read once per height. */
  #heaviestRecent(): number {
    const { height, store } = this.#deps.chain;
    if (this.#heaviest.height !== height) {
      const metas = store.blockMetas(Math.max(0, height - WEIGHT_WINDOW), height);
      const weight = metas.reduce((max, meta) => Math.max(max, meta.weight), 0);
      this.#heaviest = { height, weight };
    }
    return this.#heaviest.weight;
  }
}

/** Filled spans and bytes that may wait for verification; the blocks needed next are always requested. */
const MAX_FILLED_SPANS = 10;
const MAX_QUEUE_BYTES = 100 * 1024 * 1024;

type BlockStep = Extract<Step, { do: 'request-blocks' } | { do: 'request-again' }>;

export interface DownloadsOptions {
  /** Download without prunable data the blocks that this node, being pruned, would prune anyway. */
  readonly syncPrunedBlocks: boolean;
  /** Bytes of downloaded blocks that may wait for verification; 0 is the default, 100 MiB. */
  readonly blockDownloadMaxSize: number;
  readonly now: MillisecondClock;
}

export interface DownloadsDependencies {
  readonly chain: ChainForP2p;
  readonly peers: SyncPeers;
  readonly queue: SpanQueue;
  readonly stripes: StripePolicy;
  readonly target: SyncTarget;
  readonly size: RequestSize;
}

/** Sends the chain and block requests: keeps every peer that has something we need busy. */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #deps: DownloadsDependencies;
  #stopped = false;

  constructor(options: DownloadsOptions, deps: DownloadsDependencies) {
    this.#options = options;
    this.#deps = deps;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Requests a peer's chain from the beginning, once the current message has been handled. */
  restart(peer: SyncPeer): void {
    peer.begin();
    setImmediate(() => this.advance(peer));
  }

  /** Takes the next step with every peer, in the order in which they connected. */
  advanceAll(): void {
    for (const peer of [...this.#deps.peers]) this.advance(peer);
  }

  /** Takes the next step with a peer unless a request to it is pending. */
  advance(peer: SyncPeer): void {
    const { chain, peers, stripes, target } = this.#deps;
    const { connection } = peer.peer;
    if (this.#stopped || connection.closed || !peer.synchronizing || peer.pending) return;
    const step = planStep(peer, this.#planContext());
    switch (step.do) {
      case 'request-chain':
        return this.#requestChain(peer, step.after);
      case 'request-blocks':
      case 'request-again':
        return this.#requestBlocks(peer, step);
      case 'wait':
        peer.wait();
        if (step.lacksStripe && stripes.shouldDrop(peer))
          peers.drop(peer, new Violation('it does not hold the blocks needed next', 0));
        return;
      case 'drop':
        return peers.drop(peer, new Violation(step.reason, step.penalty));
      case 'finish':
        peer.becomeNormal();
        if (chain.height >= target.height) target.reached();
        // Else its next timed sync would bring what it announced, up to a minute later.
        if (peer.takeAnnounced() > chain.height) this.restart(peer);
    }
  }

  #planContext(): PlanContext {
    const { chain, peers, queue, size } = this.#deps;
    const maxBytes = this.#options.blockDownloadMaxSize || MAX_QUEUE_BYTES;
    const mayBePruned = this.#options.syncPrunedBlocks ? blocksToTakePruned(chain) : undefined;
    return {
      queue,
      chainHeight: chain.height,
      now: this.#options.now(),
      batch: size.blocks,
      room: queue.filledCount < MAX_FILLED_SPANS && queue.bytes < maxBytes,
      where: (id) => chain.has(fromHex(id)),
      peer: (id) => peers.get(id),
      ...(mayBePruned === undefined ? {} : { mayBePruned }),
    };
  }

  #requestChain(peer: SyncPeer, after: string | undefined): void {
    const { chain } = this.#deps;
    const ids = chain.shortHistory();
    let maxStart = chain.height - 1;
    if (after !== undefined) {
      ids.unshift(fromHex(after));
      maxStart = Infinity;
    }
    peer.request({ kind: 'chain', maxStart, since: this.#options.now() });
    // Without `prune` a pruned peer sends no ids when it does not hold the block at our height.
    const prune = peer.pruningSeed !== 0 || this.#options.syncPrunedBlocks;
    notify(peer, COMMANDS.requestChain, REQUEST_CHAIN, { block_ids: ids, prune });
  }

  #requestBlocks(peer: SyncPeer, step: BlockStep): void {
    const { queue } = this.#deps;
    const { id: owner, address } = peer.peer;
    const now = this.#options.now();
    const { start, ids, prune } = step.do === 'request-blocks' ? step.run : step.span;
    const request = { start, ids, ...pruneFlag(prune) };
    if (step.do === 'request-blocks')
      queue.schedule({ ...request, owner, address, requestedAt: now });
    else queue.reassign(step.span, owner, address, now);
    peer.request({ kind: 'objects', ...request, since: now });
    const blocks = ids.map((id) => fromHex(id));
    notify(peer, COMMANDS.requestObjects, REQUEST_OBJECTS, { blocks, prune: prune === true });
  }
}

function notify<F extends Fields>(
  { peer }: SyncPeer,
  command: number,
  table: Table<F>,
  message: OutputOf<F>,
): void {
  peer.connection.notify(command, encodeMessage(table, message));
}
