import { EventEmitter } from 'node:events';
import { parseTransaction, toHex, type ParsedTransaction } from '@monero-node/codec';
import {
  monotonicMilliseconds,
  Periodic,
  secureRandom,
  systemSeconds,
  Yielder,
  type Logger,
  type MillisecondClock,
  type RandomSource,
  type SecondClock,
} from '@monero-node/base';
import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type {
  Blockchain,
  ChosenTransactions,
  TemplateFrame,
  TransactionSource,
} from '@monero-node/blockchain';
import type { PoolStore } from '@monero-node/storage';
import { TxAdmission, type AddTxOptions, type AddTxResult } from './admission/tx-admission.ts';
import type { BlockFrame } from './selection/block-selection.ts';
import { ChainFollower } from './admission/chain-follower.ts';
import type { PoolChanges } from './store/change-log.ts';
import type { TxPoolEvents } from './events.ts';
import { DEFAULT_MAX_WEIGHT, EXPIRY_INTERVAL, SAVE_INTERVAL } from './limits.ts';
import type { PoolFeeBands } from './stats/fee-bands.ts';
import { loadPool } from './store/load.ts';
import { PeerIntake, type IsOffense, type PeerTransactions } from './admission/peer-intake.ts';
import { PoolEditor } from './pool-editor.ts';
import type { PoolEntry, PoolTransaction } from './store/pool-entry.ts';
import { PoolReader } from './pool-reader.ts';
import { PoolState } from './store/pool-state.ts';
import type { PoolStats, PoolTotals } from './stats/pool-stats.ts';
import { PoolVerifier } from './admission/pool-verifier.ts';
import { PoolWriter } from './store/pool-writer.ts';
import { TxReadiness } from './selection/tx-readiness.ts';
import type { RelayMethod } from './store/relay-method.ts';
import { RelaySchedule } from './relay/relay-schedule.ts';
import { TemplateSelector, type BlockSelection } from './selection/template-selector.ts';

export interface TxPoolOptions {
  /** Bound of the sum of all weights; 648,000,000 by default. */
  readonly maxWeight?: number;
  /** Whether templates may contain transactions in the stem phase; false by default. */
  readonly mineStemTransactions?: boolean;
  /** The system clock by default. */
  readonly now?: SecondClock;
  /** Milliseconds of a clock that cannot be set; by default it follows `now` if that is given. */
  readonly elapsed?: MillisecondClock;
  /** For delays that peers must not predict; the system's generator by default. */
  readonly random?: RandomSource;
}

const OPTIONS: OptionTable<TxPoolOptions> = {
  maxWeight: OPTIONAL,
  mineStemTransactions: OPTIONAL,
  now: OPTIONAL,
  elapsed: OPTIONAL,
  random: OPTIONAL,
};

export interface TxPoolDependencies {
  /** Started. */
  readonly blockchain: Blockchain;
  /** Keeps the pool across restarts. */
  readonly store: PoolStore;
  readonly logger: Logger;
}

/**
 * The transaction pool: transactions that are not in the chain yet, verified by the rules of the next
 * block, and kept across restarts. Ids and key images are 32 bytes, times are Unix seconds.
 *
 * Source: tx_memory_pool in src/cryptonote_core/tx_pool.cpp.
 */
export class TxPool extends EventEmitter<TxPoolEvents> implements TransactionSource {
  readonly #chain: Blockchain;
  readonly #store: PoolStore;
  readonly #logger: Logger;
  readonly #now: SecondClock;
  readonly #state = new PoolState();
  readonly #verifier: PoolVerifier;
  readonly #reader: PoolReader;
  readonly #selector: TemplateSelector;
  readonly #editor: PoolEditor;
  readonly #admission: TxAdmission;
  readonly #follower: ChainFollower;
  readonly #intake: PeerIntake;
  readonly #timers: readonly Periodic[];
  /** Expiry under way. */
  #expiry: Promise<void> | undefined;

  /** Throws OptionError for an unknown option. */
  constructor(options: TxPoolOptions, { blockchain, store, logger }: TxPoolDependencies) {
    super();
    checkOptions('TxPool', options, OPTIONS);
    const state = this.#state;
    this.#chain = blockchain;
    this.#store = store;
    this.#logger = logger;
    const { now } = options;
    this.#now = now ?? systemSeconds;
    const elapsed = options.elapsed ?? (now ? () => now() * 1000 : monotonicMilliseconds);
    this.#verifier = new PoolVerifier(blockchain);
    const editor = new PoolEditor({
      state,
      writer: new PoolWriter(store),
      schedule: new RelaySchedule(this.#now(), options.random ?? secureRandom),
      logger,
      now: this.#now,
      elapsed,
      maxWeight: options.maxWeight ?? DEFAULT_MAX_WEIGHT,
      emit: this.emit.bind(this),
    });
    this.#editor = editor;
    const changed = (entry: PoolEntry) => editor.changed(entry);
    const readiness = new TxReadiness(blockchain, changed);
    this.#reader = new PoolReader({ chain: blockchain, state, readiness });
    const { mineStemTransactions = false } = options;
    this.#selector = new TemplateSelector(
      { mineStemTransactions },
      { chain: blockchain, state, readiness },
    );
    const verifier = this.#verifier;
    const admission = new TxAdmission({ chain: blockchain, store, state, editor, verifier });
    this.#admission = admission;
    this.#intake = new PeerIntake(this, (blob) => admission.decode(blob));
    this.#follower = new ChainFollower(blockchain, {
      state,
      changed,
      remove: (entry, reason) => editor.remove(entry, reason),
      tipChanged: () => verifier.tipChanged(),
      takeBack: (tx) => this.add(tx, { source: 'block' }),
      revalidate: (entry) => this.#revalidate(entry),
      prepare: (entry) => readiness.checkInputs(entry),
      failed: (error) => this.#logger.error(`transaction pool: ${String(error)}`),
    });
    this.#timers = [
      new Periodic(EXPIRY_INTERVAL * 1000, () => this.expire()),
      new Periodic(1000, () => this.relayDue()),
      new Periodic(SAVE_INTERVAL * 1000, () => editor.save()),
    ];
  }

  /** Loads the stored pool and starts to follow the chain. */
  async start(): Promise<void> {
    const { entries, useless } = await loadPool(this.#store, this.#chain);
    if (useless.length > 0) await this.#store.commit({ removePool: useless });
    const yielder = new Yielder();
    for (const entry of entries) {
      await yielder.yieldIfDue();
      this.#state.add(entry, this.#now());
    }
    this.#follower.start();
    await this.expire();
    await this.#editor.trim();
    for (const timer of this.#timers) timer.start();
    this.#logger.info(`transaction pool: ${this.size} transactions, weight ${this.weight}`);
  }

  /** Finishes the work under way and stops following the chain. The store stays open. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) timer.stop();
    await this.#follower.stop();
    await this.#expiry;
    await this.#editor.saved();
  }

  /** The same as {@link TxPool.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Resolves when the pool has followed all changes of the chain so far, and is stored. */
  async idle(): Promise<void> {
    await this.#follower.idle();
    await this.#editor.saved();
  }

  /** Number of transactions. */
  get size(): number {
    return this.#state.size;
  }

  /** Sum of all weights. */
  get weight(): number {
    return this.#state.weight;
  }

  /**
   * Verifies a transaction and adds it if it is valid. Resolves once it is stored; one of a peer may be stored some seconds later.
   *
   * Throws StorageError.
   *
   * @param tx full blob, not to be changed afterwards, or the transaction if it is decoded already
   */
  async add(tx: Uint8Array | ParsedTransaction, options: AddTxOptions): Promise<AddTxResult> {
    const result = await this.#admission.add(tx, options);
    if (options.source === 'local') this.#announce(result);
    return result;
  }

  /** Adds the transactions of a peer. Resolves to false when the peer is to be dropped for one of them. */
  receive(message: PeerTransactions, isOffense: IsOffense): Promise<boolean> {
    return this.#intake.receive(message, isOffense);
  }

  /** Removes a transaction on behalf of an operator; false if it is not in the pool. */
  async remove(id: Uint8Array): Promise<boolean> {
    return (await this.flush([id])) === 1;
  }

  /** Removes the given transactions, or all. Returns how many it removed. */
  async flush(ids?: readonly Uint8Array[]): Promise<number> {
    const named = ids?.flatMap((id) => this.#state.get(toHex(id)) ?? []);
    return this.#editor.removeAll(named ?? [...this.#state.byId], 'flushed');
  }

  /** Removes transactions that are too old; they are not accepted again. Runs by itself every half minute, once at a time. */
  expire(): Promise<void> {
    this.#expiry ??= this.#editor.expire().finally(() => (this.#expiry = undefined));
    return this.#expiry;
  }

  /** Announces transactions that are due to be sent (again). Runs by itself every second. */
  relayDue(): void {
    this.#editor.relayDue();
  }

  /**
   * Has a transaction sent now, on behalf of an operator: to everyone if it is public already,
   * otherwise as a new one of this node. False if it is not in the pool.
   */
  relayNow(id: Uint8Array): boolean {
    const entry = this.#state.get(toHex(id));
    if (entry === undefined) return false;
    this.emit('relay', { transactions: [entry], method: entry.broadcast ? 'fluff' : 'local' });
    return true;
  }

  /** Records that transactions were sent to peers by a method. */
  markRelayed(ids: readonly Uint8Array[], method: RelayMethod): void {
    this.#editor.markRelayed(ids, method);
  }

  /** All transactions, ordered by id as in monerod's database (last byte first). */
  transactions(): readonly PoolTransaction[] {
    return this.#reader.transactions();
  }

  transaction(id: Uint8Array): PoolTransaction | undefined {
    return this.#reader.transaction(id);
  }

  /** Whether a transaction of the pool spends the key image; by default only public ones count. */
  isSpent(keyImage: Uint8Array, includePrivate = false): boolean {
    return this.#reader.isSpent(keyImage, includePrivate);
  }

  /**
   * Resolves to public candidates for the next block; best paid first if not all of them fit. Those of blocks that have
   * just been removed are among them.
   */
  async templateBacklog(): Promise<readonly PoolTransaction[]> {
    await this.#follower.returning;
    return this.#reader.templateBacklog();
  }

  /** Ends when the transactions of blocks that were removed are back in the pool; undefined when none is missing. */
  get returning(): Promise<void> | undefined {
    return this.#follower.returning;
  }

  /** Changes whenever the set of selectable transactions changes. */
  get revision(): number {
    return this.#state.revision;
  }

  /**
   * Resolves to the transactions that make the best block, all valid on the present tip. Those of blocks that have just
   * been removed may be among them.
   *
   * Throws TemplateError when the tip keeps moving.
   *
   * @param frame of a block elsewhere; of the block on the tip by default
   * @param publicOnly leaves out transactions that the network does not know yet
   */
  async selectForBlock(frame?: BlockFrame, publicOnly = false): Promise<BlockSelection> {
    await this.#follower.returning;
    return this.#selector.select(frame, publicOnly);
  }

  /** The same for block templates. Throws TemplateError when the tip keeps moving. */
  async choose(frame: TemplateFrame, publicOnly = false): Promise<ChosenTransactions> {
    const { transactions, weight, fees, expectedReward } = await this.selectForBlock(
      frame,
      publicOnly,
    );
    return { ids: transactions.map(({ id }) => id), weight, fees, expectedReward };
  }

  /** Sums up all transactions, without holding the event loop. */
  totals(): Promise<PoolTotals> {
    return this.#reader.totals();
  }

  /**
   * Counts all transactions by fee rate, without holding the event loop.
   *
   * @param edges lowest rate of each band but the first, ascending; atomic units per byte of weight
   */
  feeBands(edges: readonly number[]): Promise<PoolFeeBands> {
    return this.#reader.feeBands(edges);
  }

  /** Number of transactions; only of public ones without `includePrivate`. */
  count(includePrivate: boolean): number {
    return this.#reader.count(includePrivate);
  }

  /**
   * Computes the figures of `txpool_stats`, without holding the event loop.
   *
   * @param now Unix seconds
   */
  stats(now: number, includePrivate = true): Promise<PoolStats> {
    return this.#reader.stats(now, includePrivate);
  }

  /** The changes since a moment (Unix seconds); everything if that is 0 or too long ago. */
  changesSince(since: number, includePrivate: boolean): PoolChanges {
    return this.#reader.changesSince(since, includePrivate);
  }

  /** Full blob of a transaction of the pool. */
  transactionBlob(id: Uint8Array): Uint8Array | undefined {
    return this.#reader.transactionBlob(id);
  }

  /** Ids of the public transactions. */
  publicIds(): Uint8Array[] {
    return this.#reader.publicIds();
  }

  /** Ids of public transactions, at most `most`: 32 bytes each, one after another. */
  joinedPublicIds(most: number): Uint8Array {
    return this.#reader.joinedPublicIds(most);
  }

  /**
   * Full blobs of the public transactions that are not in `known`, up to about 50 MB. `known` has 32-byte ids one after
   * another.
   */
  complement(known: Uint8Array, yielder = new Yielder()): Promise<Uint8Array[]> {
    return this.#reader.complement(known, yielder);
  }

  /** Has a client's transaction sent at once. */
  #announce(result: AddTxResult): void {
    if (result.status !== 'added' && result.status !== 'known') return;
    const transaction = this.transaction(result.id);
    if (transaction === undefined || result.relay === 'none') return;
    this.emit('relay', { transactions: [transaction], method: result.relay });
  }

  /** Verifies all of a pool transaction again, because the fork has changed. */
  async #revalidate(entry: PoolEntry): Promise<void> {
    const parsed = parseTransaction(entry.blob);
    const options = { fromBlock: entry.keptByBlock, conflicts: () => false };
    const verdict = await this.#verifier.verify(parsed, options);
    if (this.#state.get(entry.key) !== entry) return;
    // When the fork has changed again, so that this verdict is out of date, all are verified once more.
    if (verdict?.version !== this.#chain.transactionVerifier.version) return;
    if (verdict.error !== undefined) {
      this.#logger.info(`transaction ${entry.key} dropped: ${verdict.error.message}`);
      this.#editor.remove(entry, 'invalid');
      return;
    }
    entry.verification = verdict.inputs?.verification;
    this.#editor.changed(entry);
  }
}
