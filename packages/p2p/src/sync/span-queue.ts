import type { parseTransactions } from '@monero-node/blockchain';
import type { ParsedBlock } from '@monero-node/codec';
import type { NetAddress } from '../net/address.ts';

/**
 * A received block: itself decoded, its transactions still bytes. Decoded transactions take several times the memory, so
 * they are decoded just before they are verified.
 */
export interface ReceivedBlock {
  readonly block: ParsedBlock;
  /** As many as the block lists. */
  readonly txs: readonly Uint8Array[];
  /** For a pruned block: per transaction the 32-byte hash of its missing part, zeros if none is missing. */
  readonly prunableHashes?: readonly Uint8Array[];
  /**
   * Returns the outlines of the span's transactions, if they are ready, and the position of the block's first one. Blocks are
   * parsed without them from then on if they are not.
   */
  readonly outlined?: () => Parameters<typeof parseTransactions>[1];
  /** Returns whether the outlines of the span's transactions are still being made, which goes on. */
  readonly isOutlining?: () => boolean;
  /** Resolves when these outlines need not be waited for any more: they are ready, or will not come, or take too long. Never rejects. */
  readonly whenOutlined?: () => Promise<void>;
}

/** Consecutive blocks requested from one peer: scheduled until they have arrived, then filled. */
export interface Span {
  readonly start: number;
  /** Block ids in hex, ascending by height. */
  readonly ids: readonly string[];
  /** Id of the connection from which they were requested. */
  owner: string;
  address: NetAddress;
  /** Milliseconds. */
  requestedAt: number;
  /** They were requested without prunable data. */
  readonly prune?: boolean;
  blocks?: readonly ReceivedBlock[];
  /** Id of the parent of the first block, in hex; known once filled. */
  prevId?: string;
  /** Bytes; 0 while scheduled. */
  size: number;
  /** Bytes per second of the download; 0 while scheduled. */
  rate: number;
}

/** Returns the height above the last block of a span. */
export function spanEnd(span: Span): number {
  return span.start + span.ids.length;
}

/**
 * The running downloads and those that wait for verification, by height. Spans of competing branches may overlap; no
 * block is in two spans.
 * Source: block_queue in src/cryptonote_protocol/block_queue.cpp
 */
export class SpanQueue {
  /** Ascending by start height. */
  #spans: Span[] = [];
  readonly #byId = new Map<string, Span>();
  #bytes = 0;
  #filled = 0;

  /** Bytes of filled spans. */
  get bytes(): number {
    return this.#bytes;
  }

  get filledCount(): number {
    return this.#filled;
  }

  get spans(): readonly Span[] {
    return this.#spans;
  }

  isRequested(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Returns the height of a block that waits for verification; undefined for any other block. */
  filledHeight(id: string): number | undefined {
    const span = this.#byId.get(id);
    return span?.blocks ? span.start + span.ids.indexOf(id) : undefined;
  }

  /** Adds a scheduled span. None of its ids may be in the queue. */
  schedule(span: Omit<Span, 'blocks' | 'prevId' | 'size' | 'rate'>): Span {
    const added: Span = { ...span, size: 0, rate: 0 };
    const at = this.#spans.findIndex((other) => other.start > span.start);
    this.#spans.splice(at < 0 ? this.#spans.length : at, 0, added);
    for (const id of span.ids) this.#byId.set(id, added);
    return added;
  }

  /** Makes another connection the owner of a span, which was requested from it as well. */
  reassign(span: Span, owner: string, address: NetAddress, now: number): void {
    span.owner = owner;
    span.address = address;
    span.requestedAt = now;
  }

  /** Returns the span of exactly these ids, if it is in the queue. */
  find(ids: readonly string[]): Span | undefined {
    const first = ids[0];
    const span = first === undefined ? undefined : this.#byId.get(first);
    return span && span.ids.length === ids.length && span.ids[0] === first ? span : undefined;
  }

  /**
   * Fills a span with downloaded blocks. A span that was removed, because its peer seemed lost, is added again; one that
   * another peer has filled does not change.
   */
  fill(
    span: Pick<Span, 'start' | 'ids' | 'owner' | 'address' | 'requestedAt' | 'prune'>,
    content: { blocks: readonly ReceivedBlock[]; prevId: string; size: number; rate: number },
  ): void {
    let target = this.find(span.ids);
    if (target?.blocks) return;
    if (!target) {
      if (span.ids.some((id) => this.#byId.has(id))) return;
      target = this.schedule(span);
    }
    target.owner = span.owner;
    target.address = span.address;
    target.blocks = content.blocks;
    target.prevId = content.prevId;
    target.size = content.size;
    target.rate = content.rate;
    this.#bytes += content.size;
    this.#filled++;
  }

  remove(span: Span): void {
    const at = this.#spans.indexOf(span);
    if (at < 0) return;
    this.#spans.splice(at, 1);
    for (const id of span.ids) this.#byId.delete(id);
    if (span.blocks) {
      this.#bytes -= span.size;
      this.#filled--;
    }
  }

  /** Removes the scheduled spans of a connection, and with `filled` also its filled ones. */
  removeOwned(owner: string, options: { filled: boolean }): void {
    for (const span of [...this.#spans])
      if (span.owner === owner && (options.filled || !span.blocks)) this.remove(span);
  }

  clear(): void {
    for (const span of [...this.#spans]) this.remove(span);
  }

  /** Returns the lowest height from `chainHeight` on that no span covers. */
  nextNeededHeight(chainHeight: number): number {
    let covered = chainHeight;
    for (const span of this.#spans) {
      if (span.start > covered) return covered;
      covered = Math.max(covered, spanEnd(span));
    }
    return covered;
  }

  /** Returns the span that verification waits for: the first one, if it begins at or below the chain's height. */
  nextSpan(chainHeight: number): Span | undefined {
    const first = this.#spans[0];
    return first && first.start <= chainHeight ? first : undefined;
  }

  /** Returns the average bytes of a block in the heaviest span; 0 when the queue is empty. */
  largestAverageBlock(): number {
    return this.#spans.reduce((max, span) => Math.max(max, span.size / span.ids.length), 0);
  }

  /** Returns a connection's rate as a fraction of the fastest connection's, 0..1; 1 while unknown. */
  relativeSpeed(owner: string): number {
    const rates = new Map<string, number>();
    for (const span of this.#spans) {
      if (!span.blocks) continue;
      const before = rates.get(span.owner);
      rates.set(span.owner, before === undefined ? span.rate : (before + span.rate) / 2);
    }
    const own = rates.get(owner) ?? 0;
    const best = Math.max(0, ...rates.values());
    return own <= 0 || best === 0 ? 1 : own / best;
  }
}

/**
 * Returns one character per span between brackets: `<` overlaps the spans below, `.` scheduled, `m` filled at the
 * chain's height, `o` filled at a greater height. Gaps are `_`.
 * Source: get_overview in src/cryptonote_protocol/block_queue.cpp
 *
 * @param spans ascending by start height
 */
export function spanOverview(spans: readonly Span[], chainHeight: number): string {
  let expected = chainHeight;
  let text = '';
  for (const span of spans) {
    if (expected > span.start) {
      text += '<';
      continue;
    }
    if (expected < span.start)
      text += '_'.repeat(Math.max(1, Math.floor((span.start - expected) / span.ids.length)));
    text += !span.blocks ? '.' : span.start === chainHeight ? 'm' : 'o';
    expected = spanEnd(span);
  }
  return `[${text}]`;
}

/** Returns `{ prune }` only when it is set, so that requests for whole blocks have no such field. */
export function pruneFlag(prune: boolean | undefined): { prune?: true } {
  return prune === true ? { prune } : {};
}
