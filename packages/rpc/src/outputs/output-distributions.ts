import { Yielder } from '@monero-node/base';
import { bytesEqual } from '@monero-node/codec';
import { earliestHeightOf } from '@monero-node/consensus';
import type { RpcChain } from '../dependencies.ts';

/** How a call waits; see `RpcContext`. */
interface Waiting {
  readonly yielder: Yielder;
  readonly resting?: <T>(work: Promise<T>) => Promise<T>;
}

/** Blocks whose outputs are counted; amounts count as RingCT (0) or clear ones. */
export interface DistributionRange {
  readonly amount: bigint;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the height of the first entry of a distribution and the number of entries; undefined when the range is empty
 * or leaves the chain.
 */
export function distributionRange(
  chain: RpcChain,
  { amount, from, to }: DistributionRange,
): { readonly start: number; readonly length: number } | undefined {
  if (to > 0 && to < from) return undefined;
  const start = Math.max(from, amount === 0n ? firstRctHeight(chain) : 0);
  if (start >= chain.height || to >= chain.height) return undefined;
  return { start, length: Math.max(0, to - start + 1) };
}

export interface OutputDistribution {
  readonly startHeight: number;
  /** Outputs below `startHeight`; always 0 for amounts other than 0, whose first entry includes them. */
  readonly base: number;
  /** One entry per block from `startHeight`. */
  readonly counts: Float64Array;
}

/** First fork with RingCT outputs. */
const RCT_VERSION = 4;
const METAS_PER_STEP = 1000;
/** Ids kept to find where a cached distribution still holds after a reorganization. */
const REMEMBERED_IDS = 200;

/**
 * How many outputs of an amount each block made. Wallets ask for the whole chain of RingCT outputs, so the running
 * count per height is kept in memory (8 bytes a block) and extended as the chain grows.
 */
export class OutputDistributions {
  #cumulative = new Float64Array(0);
  #known = 0;
  /** Ids of the newest known blocks, oldest first. */
  #ids: Uint8Array[] = [];
  #extending: Promise<void> | undefined;

  /**
   * Counts blocks `from` to `to`, both included. Undefined when the range is empty or leaves the chain.
   * Runs over every output of an amount other than 0.
   */
  async get(
    chain: RpcChain,
    request: DistributionRange & { readonly cumulative: boolean },
    waiting: Waiting,
  ): Promise<OutputDistribution | undefined> {
    const { amount, cumulative } = request;
    const range = distributionRange(chain, request);
    if (range === undefined) return undefined;
    const { start, length } = range;
    const running =
      amount === 0n
        ? await this.#rct(chain, start, length, waiting)
        : await countClearOutputs(chain, { amount, start, length }, waiting.yielder);
    if (running === undefined) return undefined;
    return {
      startHeight: start,
      base: running.base,
      counts: cumulative ? running.counts : differences(running),
    };
  }

  async #rct(
    chain: RpcChain,
    start: number,
    length: number,
    { yielder, resting = (work) => work }: Waiting,
  ): Promise<{ base: number; counts: Float64Array } | undefined> {
    for (let work = this.#extend(chain); work !== undefined; work = this.#extend(chain)) {
      await resting(work);
      // With a slot again: what follows takes memory. Blocks may have been replaced while the call waited for it.
      await yielder.yieldNow();
    }
    if (this.#known < start + length) return undefined;
    return {
      base: start > 0 ? (this.#cumulative[start - 1] ?? 0) : 0,
      counts: this.#cumulative.slice(start, start + length),
    };
  }

  /** Brings the running counts up to the top, unless they are; calls that come while this is going on share it. */
  #extend(chain: RpcChain): Promise<void> | undefined {
    if (this.#extending !== undefined) return this.#extending;
    this.#dropReplaced(chain);
    if (this.#known >= chain.height) return undefined;
    this.#extending = this.#extendNow(chain).finally(() => {
      this.#extending = undefined;
    });
    return this.#extending;
  }

  /** Has a yielder of its own: that of a call waits for a slot, which calls that wait for this may hold. */
  async #extendNow(chain: RpcChain): Promise<void> {
    const yielder = new Yielder();
    while (this.#known < chain.height) {
      const metas = chain.store.blockMetas(this.#known, this.#known + METAS_PER_STEP);
      if (metas.length === 0) return;
      this.#reserve(this.#known + metas.length);
      for (const meta of metas) {
        this.#cumulative[this.#known++] = meta.cumulativeRctOutputs;
        this.#ids.push(meta.id);
      }
      this.#ids.splice(0, Math.max(0, this.#ids.length - REMEMBERED_IDS));
      const pause = yielder.yieldIfDue();
      if (pause !== undefined) {
        await pause;
        this.#dropReplaced(chain);
      }
    }
  }

  /** Forgets what a reorganization has replaced. */
  #dropReplaced(chain: RpcChain): void {
    while (this.#ids.length > 0) {
      const stored = chain.store.blockMeta(this.#known - 1)?.id;
      const known = this.#ids.at(-1) as Uint8Array;
      if (stored !== undefined && bytesEqual(stored, known)) return;
      this.#ids.pop();
      this.#known--;
    }
    this.#known = 0;
  }

  #reserve(length: number): void {
    if (length <= this.#cumulative.length) return;
    const larger = new Float64Array(Math.max(length, this.#cumulative.length * 2, 4096));
    larger.set(this.#cumulative);
    this.#cumulative = larger;
  }
}

/** Test chains may have RingCT outputs from the start. */
function firstRctHeight(chain: RpcChain): number {
  return chain.network.nettype === 'fakechain'
    ? 0
    : (earliestHeightOf(chain.network, RCT_VERSION) ?? 0);
}

async function countClearOutputs(
  chain: RpcChain,
  range: { amount: bigint; start: number; length: number },
  yielder: Yielder,
): Promise<{ base: number; counts: Float64Array }> {
  const { amount, start, length } = range;
  const counts = new Float64Array(length);
  const total = chain.store.outputCount(amount, start + length);
  for (let index = 0; index < total; index++) {
    const height = chain.store.output(amount, index)?.height;
    if (height === undefined) break;
    const at = Math.max(0, height - start);
    if (at < length) counts[at] = (counts[at] ?? 0) + 1;
    if (index % 256 === 255) await yielder.yieldIfDue();
  }
  for (let i = 1; i < length; i++) counts[i] = (counts[i] ?? 0) + (counts[i - 1] ?? 0);
  return { base: 0, counts };
}

function differences(running: { base: number; counts: Float64Array }): Float64Array {
  const own = new Float64Array(running.counts.length);
  let previous = running.base;
  for (let i = 0; i < own.length; i++) {
    const count = running.counts[i] as number;
    own[i] = count - previous;
    previous = count;
  }
  return own;
}
