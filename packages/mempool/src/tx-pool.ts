import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseTransaction, toHex, type ParsedTransaction } from '@monero-node/codec';
import type { Logger } from '@monero-node/base';
import {
  TemplateError,
  type Blockchain,
  type ChosenTransactions,
  type TemplateFrame,
  type TransactionSource,
} from '@monero-node/blockchain';
import { rulesFor } from '@monero-node/consensus';
import type { PoolStore } from '@monero-node/storage';
import type { AddTxOptions, AddTxResult } from './add-result.ts';
import { Admission } from './admission.ts';
import { fillBacklog, fillBlock, type BlockFill, type BlockFrame } from './block-selection.ts';
import { ChainFollower } from './chain-follower.ts';
import type { PoolChanges } from './change-log.ts';
import type { TxPoolEvents } from './events.ts';
import { DEFAULT_MAX_WEIGHT, EXPIRY_INTERVAL, MAX_COMPLEMENT_BYTES } from './limits.ts';
import { loadPool } from './load.ts';
import { PeerIntake, type IsOffense, type ReceivedTransactions } from './peer-intake.ts';
import { PoolEditor } from './pool-editor.ts';
import type { PoolEntry, PoolTransaction } from './pool-entry.ts';
import { PoolState } from './pool-state.ts';
import { PoolWriter } from './pool-writer.ts';
import { Readiness } from './readiness.ts';
import { isSelectable, type RelayMethod } from './relay-method.ts';
import { RelaySchedule } from './relay-schedule.ts';
import { poolStats, type PoolStats } from './stats.ts';
import { Verification } from './verification.ts';

export interface TxPoolOptions {
  /** 648,000,000 by default. */
  readonly maxWeight?: number;
  /** Whether templates may hold transactions in the stem phase. */
  readonly mineStemTransactions?: boolean;
  /** Unix seconds; the system clock by default. */
  readonly now?: () => number;
  /** In [0, 1), for delays that peers must not guess; from the system's generator by default. */
  readonly random?: () => number;
}

export interface TxPoolDependencies {
  /** Started. */
  readonly blockchain: Blockchain;
  /** Keeps the pool through restarts. */
  readonly store: PoolStore;
  readonly logger: Logger;
}

/** Transactions for the next block, and what it is to be built on. */
export interface BlockSelection extends BlockFill<PoolTransaction> {
  readonly height: number;
  readonly prevId: Uint8Array;
}

/** Tries to choose transactions before the tip moves again. */
const ATTEMPTS = 5;

/**
 * The transaction pool: transactions that are not in the chain yet, verified by the rules of the next
 * block, and kept through restarts. Admission follows add_tx in src/cryptonote_core/tx_pool.cpp.
 */
export class TxPool extends EventEmitter<TxPoolEvents> implements TransactionSource {
  readonly #chain: Blockchain;
  readonly #store: PoolStore;
  readonly #logger: Logger;
  readonly #options: TxPoolOptions;
  readonly #now: () => number;
  readonly #state = new PoolState();
  readonly #verification: Verification;
  readonly #readiness: Readiness;
  readonly #editor: PoolEditor;
  readonly #admission: Admission;
  readonly #follower: ChainFollower;
  readonly #intake: PeerIntake;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: TxPoolOptions, { blockchain, store, logger }: TxPoolDependencies) {
    super();
    this.#chain = blockchain;
    this.#store = store;
    this.#logger = logger;
    this.#options = options;
    this.#now = options.now ?? (() => Math.floor(Date.now() / 1000));
    this.#verification = new Verification(blockchain);
    this.#editor = new PoolEditor({
      state: this.#state,
      writer: new PoolWriter(store),
      schedule: new RelaySchedule(this.#now(), options.random ?? secureRandom),
      logger,
      now: this.#now,
      maxWeight: options.maxWeight ?? DEFAULT_MAX_WEIGHT,
      emit: this.emit.bind(this),
    });
    this.#admission = new Admission({
      chain: blockchain,
      store,
      state: this.#state,
      editor: this.#editor,
      verification: this.#verification,
    });
    const changed = (entry: PoolEntry) => this.#editor.changed(entry);
    this.#readiness = new Readiness(blockchain, changed);
    this.#intake = new PeerIntake(this);
    this.#follower = new ChainFollower(blockchain, {
      state: this.#state,
      changed,
      remove: (entry, reason) => this.#editor.remove(entry, reason),
      tipChanged: () => this.#verification.tipChanged(),
      takeBack: (tx) => this.add(tx, { source: 'block' }),
      revalidate: (entry) => this.#revalidate(entry),
      prepare: (entry) => this.#readiness.look(entry),
      failed: (error) => this.#logger.error(`transaction pool: ${String(error)}`),
    });
  }

  /** Takes back the stored pool and begins to follow the chain. */
  async start(): Promise<void> {
    const { entries, useless } = await loadPool(this.#store, this.#chain, nextTurn);
    if (useless.length > 0) await this.#store.commit({ removePool: useless });
    for (const entry of entries) this.#state.add(entry, this.#now());
    this.#follower.start();
    this.expire();
    this.#timers = [
      setInterval(() => this.expire(), EXPIRY_INTERVAL * 1000).unref(),
      setInterval(() => this.relayDue(), 1000).unref(),
    ];
    this.#logger.info(`transaction pool: ${this.size} transactions, weight ${this.weight}`);
  }

  /** Finishes what is under way and stops following the chain. The store stays open. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    await this.#follower.stop();
    await this.#editor.saved();
  }

  /** Resolves when everything that the chain's changes ask for is done and stored. */
  async idle(): Promise<void> {
    await this.#follower.idle();
    await this.#editor.saved();
  }

  get size(): number {
    return this.#state.size;
  }

  /** Sum of all weights. */
  get weight(): number {
    return this.#state.weight;
  }

  /**
   * Judges a transaction and takes it if it is good. Resolves once it is stored.
   *
   * @param tx full blob, not to be changed afterwards, or the transaction where it is decoded already
   * @throws StorageError
   */
  async add(tx: Uint8Array | ParsedTransaction, options: AddTxOptions): Promise<AddTxResult> {
    const result = await this.#admission.add(tx, options);
    if (options.source === 'local') this.#passOn(result);
    return result;
  }

  /** A client's transaction goes out at once. */
  #passOn(result: AddTxResult): void {
    if (result.status !== 'added' && result.status !== 'known') return;
    const transaction = this.transaction(result.id);
    if (transaction === undefined || result.relay === 'none') return;
    this.emit('relay', { transactions: [transaction], method: result.relay });
  }

  /** Checks a transaction of the pool again, whole; for when the fork has changed. */
  async #revalidate(entry: PoolEntry): Promise<void> {
    const parsed = parseTransaction(entry.blob);
    const options = { fromBlock: entry.keptByBlock, conflicts: () => false };
    const verdict = await this.#verification.verify(parsed, options);
    if (this.#state.get(entry.key) !== entry) return;
    if (verdict.error !== undefined) {
      this.#logger.info(`transaction ${entry.key} dropped: ${verdict.error.message}`);
      this.#editor.remove(entry, 'invalid');
      return;
    }
    entry.verification = verdict.inputs?.verification;
    this.#editor.changed(entry);
  }

  /** Takes a transaction out at the request of an operator; false if it is not here. */
  async remove(id: Uint8Array): Promise<boolean> {
    return (await this.flush([id])) === 1;
  }

  /** Takes out the given transactions, or all. @returns how many */
  async flush(ids?: readonly Uint8Array[]): Promise<number> {
    const entries = ids?.map((id) => this.#state.get(toHex(id))) ?? this.#state.byId;
    let count = 0;
    for (const entry of entries) {
      if (entry === undefined) continue;
      this.#editor.remove(entry, 'flushed');
      count++;
    }
    await this.#editor.saved();
    return count;
  }

  /** Gives up what is too old; those ids are not taken again. Happens by itself every half minute. */
  expire(): void {
    this.#editor.expire();
  }

  /** Announces transactions whose time to be sent (again) has come. Happens by itself every second. */
  relayDue(): void {
    this.#editor.relayDue();
  }

  /**
   * Has a transaction sent now, at the request of an operator: to everyone if it is public already, as a new
   * one of this node otherwise. False if it is not here.
   */
  relayNow(id: Uint8Array): boolean {
    const entry = this.#state.get(toHex(id));
    if (entry === undefined) return false;
    this.emit('relay', { transactions: [entry], method: entry.broadcast ? 'fluff' : 'local' });
    return true;
  }

  /** Transactions were sent to peers by that method. */
  markRelayed(ids: readonly Uint8Array[], method: RelayMethod): void {
    this.#editor.markRelayed(ids, method);
  }

  /** All transactions, ordered by id as monerod's database orders them (last byte first). */
  transactions(): readonly PoolTransaction[] {
    return this.#state.byId;
  }

  transaction(id: Uint8Array): PoolTransaction | undefined {
    return this.#state.get(toHex(id));
  }

  /** Whether a transaction of the pool spends it; unless told otherwise one that the public knows. */
  isSpent(keyImage: Uint8Array, includePrivate = false): boolean {
    return [...this.#state.spenders(keyImage)].some((entry) => includePrivate || entry.broadcast);
  }

  /** Public candidates for the next block; best first if not all of them fit. */
  templateBacklog(): readonly PoolTransaction[] {
    return fillBacklog(
      this.#state.byId.filter((entry) => entry.broadcast),
      this.#chain.weightState().effectiveMedian,
      (entry) => this.#readiness.look(entry) === true,
    );
  }

  /** Another number after every change of what there is to choose from. */
  get revision(): number {
    return this.#state.revision;
  }

  /**
   * The transactions that make the best block, all good on the present tip.
   *
   * @param frame of a block elsewhere; of one on the tip by default
   * @throws TemplateError
   */
  async selectForBlock(frame?: BlockFrame): Promise<BlockSelection> {
    for (let attempt = 1; ; attempt++) {
      const { tip } = this.#chain.transactionVerifier;
      const fill = await fillBlock(
        // A copy: the order may change while signatures are verified.
        this.#state.byFee.filter(({ relay }) => this.#mayBeMined(relay)),
        frame ?? this.#frameAtTip(tip.generatedCoins),
        (entry) => this.#readiness.look(entry) ?? this.#readiness.find(entry),
      );
      const isCurrent = toHex(tip.id) === toHex(this.#chain.transactionVerifier.tip.id);
      const all = fill.transactions.every((entry) => this.#state.get(toHex(entry.id)) === entry);
      if (isCurrent && all) return { ...fill, height: tip.height + 1, prevId: tip.id };
      if (attempt === ATTEMPTS) throw new TemplateError('the chain does not stand still');
    }
  }

  #frameAtTip(generatedCoins: bigint): BlockFrame {
    const rules = rulesFor(this.#chain.nextVersion());
    return { rules, medianWeight: this.#chain.weightState().effectiveMedian, generatedCoins };
  }

  /** For templates of blocks. */
  async choose(frame: TemplateFrame): Promise<ChosenTransactions> {
    const { transactions, weight, fees, expectedReward } = await this.selectForBlock(frame);
    return { ids: transactions.map(({ id }) => id), weight, fees, expectedReward };
  }

  #mayBeMined(relay: RelayMethod): boolean {
    return isSelectable(relay) || (relay === 'stem' && this.#options.mineStemTransactions === true);
  }

  /** @param now Unix seconds */
  stats(now: number, includePrivate = true): PoolStats {
    return poolStats(this.#visible(includePrivate), now);
  }

  /** Weight, fee and seconds in the pool of the transactions that the public knows. */
  backlog(now: number): { weight: number; fee: bigint; timeInPool: number }[] {
    return this.#visible(false).map(({ weight, fee, receiveTime }) => ({
      weight,
      fee,
      timeInPool: now - receiveTime,
    }));
  }

  /** What changed since a moment (Unix seconds); everything if that is 0 or too long ago. */
  changesSince(since: number, includePrivate: boolean): PoolChanges {
    return this.#state.log.since(since, includePrivate);
  }

  #visible(includePrivate: boolean): readonly PoolEntry[] {
    return this.#state.byId.filter((entry) => includePrivate || entry.broadcast);
  }

  /** Full blob, for the peers who lack it for a block. */
  transactionBlob(id: Uint8Array): Uint8Array | undefined {
    return this.#state.get(toHex(id))?.blob;
  }

  /** Ids of those that the public knows. */
  publicIds(): Uint8Array[] {
    return this.#visible(false).map(({ id }) => id);
  }

  /** Full blobs of the public ones that are not listed, up to some 50 MB. */
  complement(known: readonly Uint8Array[]): Uint8Array[] {
    const listed = new Set(known.map(toHex));
    const blobs: Uint8Array[] = [];
    let bytes = 0;
    for (const entry of this.#visible(false)) {
      if (listed.has(entry.key)) continue;
      const { blob } = entry;
      bytes += blob.length;
      if (bytes > MAX_COMPLEMENT_BYTES) break;
      blobs.push(blob);
    }
    return blobs;
  }

  /** Takes transactions from a peer. Returns false when the peer is to be dropped for one of them. */
  receive(message: ReceivedTransactions, isOffense: IsOffense): Promise<boolean> {
    return this.#intake.receive(message, isOffense);
  }
}

/** 48 random bits as a fraction. */
function secureRandom(): number {
  return randomInt(2 ** 47) / 2 ** 47;
}
