import type { NetAddress } from '../net/address.ts';
import type { ReceivedBlock } from './objects.ts';

/** Consecutive blocks asked from one peer, scheduled until their bundles are there, then filled. */
export interface Span {
  readonly start: number;
  /** Block ids in hex, ascending by height. */
  readonly ids: readonly string[];
  /** Connection they were asked from. */
  owner: string;
  address: NetAddress;
  /** Milliseconds. */
  requestedAt: number;
  /** They were asked pruned. */
  readonly prune?: boolean;
  blocks?: readonly ReceivedBlock[];
  /** Id of the parent of the first block, in hex; known once filled. */
  prevId?: string;
  /** Bytes; 0 while scheduled. */
  size: number;
  /** Bytes a second it came with; 0 while scheduled. */
  rate: number;
}

export function spanEnd(span: Span): number {
  return span.start + span.ids.length;
}

/**
 * Downloads under way and those waiting for verification, by height
 * (`src/cryptonote_protocol/block_queue.cpp`). Spans of competing branches may overlap; no block is
 * in two spans.
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

  /** The height of a block that was downloaded and waits for verification. */
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

  /** The same blocks are now asked from another peer too; that one owns the span from here on. */
  reassign(span: Span, owner: string, address: NetAddress, now: number): void {
    span.owner = owner;
    span.address = address;
    span.requestedAt = now;
  }

  /** The span of exactly these ids, if it is (still) in the queue. */
  find(ids: readonly string[]): Span | undefined {
    const first = ids[0];
    const span = first === undefined ? undefined : this.#byId.get(first);
    return span && span.ids.length === ids.length && span.ids[0] === first ? span : undefined;
  }

  /**
   * Puts downloaded blocks in place. A span that is gone from the queue, because its peer was
   * thought lost, comes back; one that was filled by somebody else stays as it is.
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

  /** Removes what a connection still owes, or with `filled` also what it delivered. */
  removeOwned(owner: string, options: { filled: boolean }): void {
    for (const span of [...this.#spans])
      if (span.owner === owner && (options.filled || !span.blocks)) this.remove(span);
  }

  clear(): void {
    for (const span of [...this.#spans]) this.remove(span);
  }

  /** The lowest height from `chainHeight` on that no span covers. */
  nextNeededHeight(chainHeight: number): number {
    let covered = chainHeight;
    for (const span of this.#spans) {
      if (span.start > covered) return covered;
      covered = Math.max(covered, spanEnd(span));
    }
    return covered;
  }

  /** The first span, if it begins at or below the chain's height: what verification waits for. */
  nextSpan(chainHeight: number): Span | undefined {
    const first = this.#spans[0];
    return first && first.start <= chainHeight ? first : undefined;
  }

  /** Average bytes of a queued block in the heaviest span; 0 when nothing is queued. */
  largestAverageBlock(): number {
    return this.#spans.reduce((max, span) => Math.max(max, span.size / span.ids.length), 0);
  }

  /** A connection's share, 0..1, of the fastest connection's rate; 1 while unknown. */
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

  /**
   * One character a span: `<` overlaps what is below, `_` a gap, `.` scheduled, `m` filled at the
   * chain's height, `o` filled further on.
   */
  overview(chainHeight: number): string {
    let expected = chainHeight;
    let text = '';
    for (const span of this.#spans) {
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
}
