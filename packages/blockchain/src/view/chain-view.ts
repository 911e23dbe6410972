import { BoundedMap, Yielder } from '@monero-node/base';
import {
  type CurveTreeRoot,
  FIRST_TREE_VERSION,
  toHex,
  type ParsedTransaction,
} from '@monero-node/codec';
import {
  adjustedTime,
  earliestHeightOf,
  rulesFor,
  SHORT_TERM_WINDOW,
  TIMESTAMP_WINDOW,
  versionAtHeight,
  weightStateOf,
  type ChainLookup,
  type ForkRules,
  LongTermMedian,
  type Network,
  type RingSlot,
  type WeightState,
} from '@monero-node/consensus';
import type { BlockMeta, BlockRecord, ChainReader, Lookups } from '@monero-node/storage';
import { hashesIn } from '@monero-node/storage/memory';
import type { ViewTree } from './tree/view-tree.ts';
import { CarrotOutputs } from './carrot-outputs.ts';
import { HeaderChain } from './header-chain.ts';
import { countLookups, GREATEST_INDEX, lookupsOf } from './lookups.ts';
import { PendingOutputs } from './pending-outputs.ts';
import { NO_TREE, type TreeRoots } from './tree-roots.ts';
import { rootOfReference } from './reference-root.ts';

/** Most amounts whose number of stored outputs is remembered: strangers choose them. */
const MAX_STORED_COUNTS = 1024;

/** Longest stretch in which the kinds of ring members are found out, milliseconds. */
const KINDS_SLICE_MS = 5;

/** Key of the list of RingCT outputs. */
const RCT_LIST = 0n;

export interface ChainViewOptions {
  readonly network: Network;
  readonly store: ChainReader;
  /** Number of blocks of the stored chain that the view includes. */
  readonly baseHeight: number;
  /** The window of long-term weights below `baseHeight`; the view owns it from now on. */
  readonly longTerm: LongTermMedian;
  /** Unix seconds. */
  readonly now: () => number;
  /** `G + amount·H`, for the commitments of outputs with a clear amount. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  /** The trees of stored reference blocks; {@link NO_TREE} when absent. */
  readonly treeRoots?: TreeRoots | undefined;
  /** Of `store`; a new one when absent, which knows nothing yet. */
  readonly carrotOutputs?: CarrotOutputs | undefined;
  /** Returns the curve tree of the stored chain cut at a height; absent where the chain keeps none that is whole. */
  readonly treeAt?: ((height: number) => ViewTree) | undefined;
}

/**
 * A possible chain: the stored chain cut at a height, plus blocks on top that are not stored yet. Rules read
 * the view, so a span or a whole side chain is verified without changing the store.
 */
export class ChainView implements ChainLookup {
  readonly network: Network;
  readonly longTerm: LongTermMedian;
  readonly records: BlockRecord[] = [];
  readonly headers: HeaderChain<BlockMeta>;
  readonly #options: ChainViewOptions;
  readonly #store: ChainReader;
  readonly #carrotOutputs: CarrotOutputs;
  /** Whether blocks of the network may have Carrot outputs; false on public networks. */
  readonly #hasCarrot: boolean;
  readonly #weights: number[];
  /** The same weights, sorted. */
  readonly #shortTerm: LongTermMedian;
  readonly #txIds = new Set<string>();
  /** Records whose ids `#txIds` holds. */
  #namedRecords = 0;
  readonly #keyImages = new Set<string>();
  readonly #outputs = new PendingOutputs();
  /** Records that `#keyImages` and `#outputs` hold. */
  #indexed = 0;
  /** Lengths of the stored output lists that were asked for: rules ask for each ring member. */
  #storedCounts: BoundedMap<bigint, number> | undefined;
  #top: BlockMeta | undefined;
  #weightState: WeightState | undefined;
  #tree: ViewTree | undefined;

  constructor(options: ChainViewOptions) {
    this.#options = options;
    this.network = options.network;
    this.#store = options.store;
    this.longTerm = options.longTerm;
    this.#carrotOutputs = options.carrotOutputs ?? new CarrotOutputs(options.store);
    this.#hasCarrot = earliestHeightOf(options.network, FIRST_TREE_VERSION) !== undefined;
    const base = options.baseHeight;
    this.headers = new HeaderChain(options.store, base);
    this.#top = base > 0 ? options.store.blockMeta(base - 1) : undefined;
    this.#weights = options.store
      .blockMetas(Math.max(0, base - SHORT_TERM_WINDOW), base)
      .map((meta) => meta.weight);
    this.#shortTerm = LongTermMedian.from(this.#weights, SHORT_TERM_WINDOW);
  }

  /** Number of blocks; also the height of the next one. */
  get height(): number {
    return this.headers.height;
  }

  /** Fork version of the next block. */
  get version(): number {
    return versionAtHeight(this.network, this.height);
  }

  get rules(): ForkRules {
    return rulesFor(this.version);
  }

  get top(): BlockMeta | undefined {
    return this.#top;
  }

  /** Weight medians and limits for the next block. */
  get weightState(): WeightState {
    this.#weightState ??= weightStateOf(this.rules, this.#shortTerm.median, this.longTerm.median);
    return this.#weightState;
  }

  /** Weights of the newest blocks, at most 100, oldest first. */
  get recentWeights(): readonly number[] {
    return this.#weights;
  }

  /** The curve tree over the blocks of the view; undefined where the chain keeps none, or lacked blocks of it when the view was made. */
  get tree(): ViewTree | undefined {
    this.#tree ??= this.#options.treeAt?.(this.headers.baseHeight);
    return this.#tree;
  }

  recentTimestamps(): number[] {
    return this.headers.tail(TIMESTAMP_WINDOW).map((header) => header.timestamp);
  }

  adjustedTime(): number {
    return adjustedTime(this.rules, this.recentTimestamps(), this.height, this.#options.now());
  }

  /**
   * Has the store read what the checks of transactions will look up; see `ChainReader.prefetch`. Where there are Carrot outputs, finds
   * out which ring members are, in slices: the checks could not wait in between. Never rejects.
   *
   * @param withRings whether ring members are looked up too, as for signatures
   * @param signal drops what has not been read yet
   */
  prefetch(
    txs: readonly ParsedTransaction[],
    withRings: boolean,
    signal?: AbortSignal,
  ): Promise<void> {
    const { rules } = this;
    if (withRings && this.#hasCarrot) return this.#prefetchKinds(lookupsOf(txs, rules), signal);
    return this.#store.prefetch(() => lookupsOf(txs, withRings ? rules : undefined), signal);
  }

  async #prefetchKinds(lookups: Lookups, signal: AbortSignal | undefined): Promise<void> {
    await this.#store.prefetch(() => lookups, signal);
    const yielder = new Yielder({ sliceMs: KINDS_SLICE_MS });
    try {
      for (const index of lookups.outputs.get(RCT_LIST) ?? []) {
        const pause = yielder.yieldIfDue();
        if (pause !== undefined) await pause;
        if (signal?.aborted === true) return;
        this.#carrotOutputs.learn(index);
      }
    } catch {
      // The check meets the same error, and tells of it.
    }
  }

  /** Returns about how many rows `prefetch` reads for transactions. */
  countLookups(txs: readonly ParsedTransaction[], withRings: boolean): number {
    return countLookups(txs, withRings ? this.rules : undefined);
  }

  hasTransaction(id: Uint8Array): boolean {
    this.#nameTransactions();
    if (this.#txIds.has(toHex(id))) return true;
    const location = this.#store.txLocation(id);
    return location !== undefined && location.height < this.headers.baseHeight;
  }

  isSpent(keyImage: Uint8Array): boolean {
    this.#indexRecords();
    if (this.#keyImages.has(toHex(keyImage))) return true;
    const height = this.#store.keyImageHeight(keyImage);
    return height !== undefined && height < this.headers.baseHeight;
  }

  outputCount(amount: bigint): number {
    this.#indexRecords();
    return this.#storedCount(amount) + this.#outputs.count(amount);
  }

  readRingMember(slot: RingSlot, amount: bigint, index: bigint): boolean {
    if (index > GREATEST_INDEX) return false;
    this.#indexRecords();
    const place = Number(index);
    // Most rings have no member of a block that is not stored yet, and no view without such blocks has.
    if (this.#outputs.count(amount) > 0) {
      const stored = this.#storedCount(amount);
      if (place >= stored) return this.#outputs.read(slot, amount, place - stored, this.#hasCarrot);
    }
    if (!this.#store.readOutput(slot, amount, place)) return false;
    if (slot.height >= this.headers.baseHeight) return false;
    slot.isCarrot =
      this.#hasCarrot && amount === RCT_LIST && this.#carrotOutputs.has(place, slot.height);
    return true;
  }

  commitToAmount(amount: bigint): Uint8Array {
    return this.#options.commitToAmount(amount);
  }

  treeRoot(referenceBlock: number): CurveTreeRoot | undefined {
    return rootOfReference(this, this.#options.treeRoots ?? NO_TREE, referenceBlock);
  }

  /** Adds a block whose context rules hold on top. */
  push(record: BlockRecord): void {
    const { meta } = record;
    this.records.push(record);
    this.headers.push(meta);
    this.#top = meta;
    this.#weights.push(meta.weight);
    this.#shortTerm.push(meta.weight);
    if (this.#weights.length > SHORT_TERM_WINDOW) this.#weights.shift();
    this.longTerm.push(meta.longTermWeight);
    this.#weightState = undefined;
  }

  /** Makes the transactions of pushed blocks known. */
  #nameTransactions(): void {
    for (; this.#namedRecords < this.records.length; this.#namedRecords++) {
      const { txs } = this.records[this.#namedRecords] as BlockRecord;
      for (const id of hashesIn(txs.ids)) this.#txIds.add(toHex(id));
    }
  }

  /** Makes the key images and outputs of pushed blocks known. Blocks that need no verification never ask for them. */
  #indexRecords(): void {
    for (; this.#indexed < this.records.length; this.#indexed++)
      this.#index(this.records[this.#indexed] as BlockRecord);
  }

  #index(record: BlockRecord): void {
    for (const keyImage of hashesIn(record.keyImages)) this.#keyImages.add(toHex(keyImage));
    this.#outputs.add(record);
  }

  #storedCount(amount: bigint): number {
    // Most views are never asked.
    this.#storedCounts ??= new BoundedMap(MAX_STORED_COUNTS);
    const known = this.#storedCounts.get(amount);
    if (known !== undefined) return known;
    const count = this.#store.outputCount(amount, this.headers.baseHeight);
    this.#storedCounts.set(amount, count);
    return count;
  }
}
