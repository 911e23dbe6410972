import { MachineError } from '@monero-node/base';
import type { Logger, MillisecondClock } from '@monero-node/base';
import type { AddBlockResult, IncomingBlock } from '@monero-node/blockchain';
import { fromHex } from '@monero-node/codec';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { AddingFailure, P2pEmitter } from '../contract/p2p-events.ts';
import { formatPeerAddress } from '../net/address.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import { addReceived, decodeAhead, describeFailure, isGood } from './add-received.ts';
import { spanEnd } from './span-queue.ts';
import type { ReceivedBlock, SpanQueue, Span } from './span-queue.ts';

/** Milliseconds until the next attempt, by the number of failed ones; the last counts for all later attempts. */
const WAITS_MS = [5_000, 10_000, 20_000, 40_000, 60_000] as const;

/** Counts attempts that fail in a row, and decides when to try again. */
class FailureSeries {
  readonly #now: MillisecondClock;
  #attempts = 0;
  #since = 0;

  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  /** Whether the last attempt failed. */
  get failing(): boolean {
    return this.#attempts > 0;
  }

  failed(error: unknown): AddingFailure {
    if (this.#attempts === 0) this.#since = this.#now();
    const wait = WAITS_MS[Math.min(this.#attempts, WAITS_MS.length - 1)] as number;
    this.#attempts++;
    return {
      error,
      byMachine: error instanceof MachineError,
      attempts: this.#attempts,
      lasting: this.#now() - this.#since,
      retryIn: wait,
    };
  }

  /** Ends the series. Returns how many attempts had failed in a row. */
  succeeded(): number {
    const attempts = this.#attempts;
    this.#attempts = 0;
    return attempts;
  }
}

/**
 * Blocks and bytes handed over for verification at once, unless a single span is larger. Large batches verify faster, but
 * a batch should take only a few seconds, so that the node can stop and report progress. Two batches are decoded at the same time
 * only if both together have no more bytes.
 */
const MIN_AT_ONCE = 20;
const MAX_AT_ONCE = 100;
const BYTES_AT_ONCE = 32 * 1024 * 1024;
const SECONDS_AT_ONCE = 2;
/** Attempts after which blocks that make the program fail are downloaded again. */
const DEFECT_ATTEMPTS = 3;
/** Points for a host that sent bad blocks, in addition to the points for each of its links. */
const BAD_SPAN_PENALTY = 5;

/** Spans that are verified together. */
interface Batch {
  readonly spans: readonly Span[];
  /** Their blocks, if they have been decoded. */
  readonly decoded?: readonly IncomingBlock[] | undefined;
}

/** A batch that is decoded before it is its turn. */
interface Following {
  /** Resolves when its blocks are decoded or turned out not to decode. */
  readonly whole: Promise<void>;
  readonly spans: readonly Span[];
  /** The blocks, once they have been decoded. */
  ready?: readonly IncomingBlock[] | undefined;
}

interface BlockFeederDependencies {
  readonly chain: ChainForP2p;
  readonly queue: SpanQueue;
  readonly peers: PeerSet;
  readonly events: P2pEmitter;
  readonly logger: Logger;
  readonly now: MillisecondClock;
  /** Called when that many blocks were added. */
  readonly onAdded: (count: number) => void;
  /** Called when the queue has changed, so that there may be something to request from peers. */
  readonly onChange: () => void;
}

/**
 * Takes downloaded spans from the queue in order and has the chain verify them, one batch at a time, while downloads
 * continue. While a batch is verified and stored, the next one is decoded, and the chain verifies its first blocks while it stores the
 * last ones of the batch below, unless the two are too large. So at most two batches are decoded at a time. Changes of the chain do not
 * wait for the decoding. Only the batch that was handed over is settled, and its peers blamed.
 * Source: try_add_next_blocks in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export class BlockFeeder {
  readonly #deps: BlockFeederDependencies;
  readonly #failures: FailureSeries;
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The batch to come next, unless the queue changes. */
  #following: Following | undefined;
  /** Blocks per second in the last batch. */
  #speed = 0;

  constructor(deps: BlockFeederDependencies) {
    this.#deps = deps;
    this.#failures = new FailureSeries(deps.now);
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Whether blocks could not be added the last time, through no fault of a peer. */
  get failing(): boolean {
    return this.#failures.failing;
  }

  /** How many blocks to verify at once, given the recent speed. */
  get blocksAtOnce(): number {
    return Math.min(MAX_AT_ONCE, Math.max(MIN_AT_ONCE, Math.ceil(this.#speed * SECONDS_AT_ONCE)));
  }

  /** Starts verification unless it is running: a span was downloaded, or spans were removed. */
  kick(): void {
    if (this.#running || this.#stopped || this.#retry) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      // A span may have been filled after the queue was last examined.
      if (!this.#stopped && !this.#retry && this.#nextBatch().length > 0) this.kick();
    });
  }

  /** Takes no more blocks. The batch being verified is left to the chain. */
  stop(): void {
    this.#stopped = true;
    this.#following = undefined;
    clearTimeout(this.#retry);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const batch = await this.#takeBatch();
      if (this.#stopped) return;
      if (batch.spans.length === 0) {
        // The blocks that failed have come another way, or nobody has them any more.
        if (this.#deps.queue.spans.length === 0) this.#recovered();
        return;
      }
      this.#deps.events.emit('verifying', true);
      try {
        if (!(await this.#handOver(batch))) return;
      } finally {
        this.#deps.events.emit('verifying', false);
      }
    }
  }

  /** Has one batch verified. Returns false if no more may be handed over for now. */
  async #handOver({ spans, decoded }: Batch): Promise<boolean> {
    const blocks = blocksOf(spans);
    const before = this.#deps.chain.height;
    const started = performance.now();
    let results: AddBlockResult[];
    try {
      results = await addReceived(this.#deps.chain, blocks, {
        origin: originOf(spans),
        host: spanHostOf(spans),
        decoded,
        onDecoded: () => this.#prepareAfter(spans),
        next: () => {
          // The following spans may have come, or their outlines, meanwhile.
          this.#prepareAfter(spans);
          return this.#following?.ready;
        },
      });
      this.#speed = (results.length * 1000) / Math.max(1, performance.now() - started);
    } catch (error) {
      this.#failed(spans, error);
      return false;
    }
    if (this.#stopped) return false;
    this.#recovered();
    this.#settle(spans, blocks, results);
    const added = this.#deps.chain.height - before;
    if (added > 0) this.#deps.onAdded(added);
    this.#deps.onChange();
    return true;
  }

  #recovered(): void {
    const failed = this.#failures.succeeded();
    if (failed > 0) this.#deps.events.emit('addingRecovered', failed);
  }

  /**
   * Keeps the blocks for another attempt after a failure of our own, for which no peer is to blame. Blocks that make
   * the program fail again and again are dropped: another peer may send others.
   */
  #failed(batch: readonly Span[], error: unknown): void {
    if (this.#stopped) return;
    this.#following = undefined;
    const failure = this.#failures.failed(error);
    if (!failure.byMachine && failure.attempts >= DEFECT_ATTEMPTS)
      for (const span of batch) this.#deps.queue.remove(span);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#deps.onChange();
      this.kick();
    }, failure.retryIn);
    this.#retry.unref();
    this.#deps.events.emit('addingFailed', failure);
  }

  /** Begins to decode the batch after the one that is being added, unless that has begun. */
  #prepareAfter(batch: readonly Span[]): void {
    const last = batch.at(-1);
    // After a failure, only what is being added is tried.
    if (last === undefined || this.#following || this.#stopped || this.failing) return;
    const first = this.#deps.queue.spans.find((span) => isFilledAfter(last, span));
    // Decoding it would have the thread leave its work on it.
    if (first === undefined || isOutlining(first)) return;
    const spans = this.#join(first);
    if (bytesOf(batch) + bytesOf(spans) > BYTES_AT_ONCE) return;
    const decoding = decodeAhead(this.#deps.chain.network, blocksOf(spans));
    const following: Following = {
      spans,
      whole: decoding.then(
        (decoded) => {
          following.ready = decoded;
        },
        // It is met again when it is its turn.
        () => undefined,
      ),
    };
    this.#following = following;
  }

  /** Returns the batch whose turn it is, without spans if there is none: the one that was prepared, if it is still in the queue. */
  async #takeBatch(): Promise<Batch> {
    const prepared = this.#following;
    this.#following = undefined;
    // Even if another batch is next: two are not to be decoded at the same time.
    await prepared?.whole;
    const spans = await this.#nextOutlined();
    const isNext =
      prepared?.ready !== undefined &&
      prepared.spans[0] === spans[0] &&
      prepared.spans.every((span) => this.#deps.queue.spans.includes(span));
    return isNext ? { spans: prepared.spans, decoded: prepared.ready } : { spans };
  }

  /**
   * Returns the next batch. Waits while outlines of its first span are being made: to parse the transactions here would take longer, and
   * hold up everything else.
   */
  async #nextOutlined(): Promise<Span[]> {
    let waitedFor: Span | undefined;
    for (;;) {
      const batch = this.#nextBatch();
      const [first] = batch;
      if (first === undefined || first === waitedFor || !isOutlining(first)) return batch;
      waitedFor = first;
      await first.blocks?.[0]?.whenOutlined?.();
      if (this.#stopped) return [];
    }
  }

  /** Returns the first filled span whose parent is known, and the filled spans that follow it directly. */
  #nextBatch(): Span[] {
    for (const span of [...this.#deps.queue.spans]) {
      if (!span.blocks || span.prevId === undefined) continue;
      const parent = this.#where(span.prevId);
      if (this.#isOld(span)) this.#deps.queue.remove(span);
      else if (parent === 'invalid') this.#blame(span, 'blocks on top of an invalid one', 1);
      else if (parent !== undefined) return this.#join(span);
    }
    return [];
  }

  #isOld(span: Span): boolean {
    const where = this.#where(span.ids.at(-1) ?? '');
    return where === 'main' || where === 'alt';
  }

  #join(first: Span): Span[] {
    const batch = [first];
    let last = first;
    let count = first.ids.length;
    let bytes = first.size;
    for (const span of this.#deps.queue.spans) {
      if (!isFilledAfter(last, span)) continue;
      count += span.ids.length;
      bytes += span.size;
      // After a failure span by span, so that the blocks before the failing one are stored.
      if (this.failing || isOutlining(span)) break;
      if (count > this.blocksAtOnce || bytes > BYTES_AT_ONCE) break;
      batch.push(span);
      last = span;
    }
    return batch;
  }

  #settle(
    batch: readonly Span[],
    blocks: readonly ReceivedBlock[],
    results: AddBlockResult[],
  ): void {
    const bad = results.findIndex((result) => !isGood(result));
    const good = bad >= 0 ? bad : results.length;
    let offset = 0;
    for (const span of batch) {
      const end = offset + span.ids.length;
      if (good >= end) this.#deps.queue.remove(span);
      else if (bad >= offset && bad < end) this.#punish(span, results[bad]);
      offset = end;
    }
    if (bad < 0 && results.length < blocks.length) {
      // The chain stopped without an error; the same blocks must not be offered for ever.
      this.#deps.logger.error(`the chain took ${results.length} of ${blocks.length} blocks`);
      for (const span of batch) this.#deps.queue.remove(span);
    }
  }

  #punish(span: Span, result: AddBlockResult | undefined): void {
    const { reason, penalty, isCertain } = describeFailure(result);
    if (isCertain) this.#blame(span, reason, penalty);
    else this.#leave(span, reason);
    if (result?.status === 'invalid' && result.error.code === 'timestamp-too-new')
      this.#deps.events.emit('futureBlock');
  }

  /** Closes the link that sent a span, without points, and removes all spans that it sent. */
  #leave(span: Span, reason: string): void {
    this.#deps.logger.warn(`blocks from ${span.address.host} at height ${span.start}: ${reason}`);
    this.#deps.queue.remove(span);
    this.#deps.queue.removeOwned(span.owner, { filled: true });
    const owner = this.#deps.peers.get(span.owner);
    if (owner) this.#deps.peers.drop(owner, reason, 0);
  }

  /** Adds points to the host that sent a span, drops all its links and removes all spans that it sent. */
  #blame(span: Span, reason: string, penalty: number): void {
    this.#deps.logger.warn(`blocks from ${span.address.host} at height ${span.start}: ${reason}`);
    this.#deps.queue.remove(span);
    const links = this.#deps.peers.sameHost(span.address);
    const owner = this.#deps.peers.get(span.owner);
    this.#deps.peers.charge(span.address, BAD_SPAN_PENALTY);
    for (const link of links) {
      this.#deps.queue.removeOwned(link.id, { filled: true });
      this.#deps.peers.drop(link, reason, 1);
    }
    this.#deps.queue.removeOwned(span.owner, { filled: true });
    if (owner) this.#deps.peers.charge(owner.address, penalty);
  }

  #where(id: string): 'main' | 'alt' | 'invalid' | undefined {
    return id === '' ? undefined : this.#deps.chain.has(fromHex(id));
  }
}

/** Returns whether outlines of a span are being made. */
function isOutlining({ blocks }: Span): boolean {
  return blocks?.[0]?.isOutlining?.() === true;
}

/** Returns whether the blocks of a span have been downloaded and continue those of another. */
function isFilledAfter(below: Span, { blocks, start, prevId }: Span): boolean {
  return blocks !== undefined && start === spanEnd(below) && prevId === below.ids.at(-1);
}

function blocksOf(spans: readonly Span[]): readonly ReceivedBlock[] {
  return spans.flatMap(({ blocks }) => blocks ?? []);
}

function bytesOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { size }) => sum + size, 0);
}

/** Returns the addresses of the peers that sent spans. */
function originOf(batch: readonly Span[]): string {
  return [...new Set(batch.map(({ address }) => formatPeerAddress(address)))].join(', ');
}

/** Returns what names the host of the first span; new blocks that it sends count apart. */
function spanHostOf([span]: readonly Span[]): string | undefined {
  return span && `spans of ${span.address.host}`;
}
