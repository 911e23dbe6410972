import { Mutex, Yielder } from '@monero-node/base';
import { toHex, type ParsedTransaction } from '@monero-node/codec';
import type { AddedBlock, Blockchain, BlockBundle, CompleteBlock } from '@monero-node/blockchain';
import { VERIFIED_AT_A_TIME } from '../limits.ts';
import type { PoolEntry } from '../store/pool-entry.ts';
import type { PoolState } from '../store/pool-state.ts';

/** The changes of the pool that ChainFollower makes. */
export interface FollowerActions {
  readonly state: PoolState;
  changed(entry: PoolEntry): void;
  remove(entry: PoolEntry, reason: 'mined'): void;
  tipChanged(): void;
  /** Adds a transaction that left the chain, or came with a block of a side chain. */
  takeBack(tx: Uint8Array | ParsedTransaction): Promise<unknown>;
  revalidate(entry: PoolEntry): Promise<void>;
  /** Checks in advance whether an entry may be in the next block. */
  prepare(entry: PoolEntry): unknown;
  failed(error: unknown): void;
}

/** Number of full blocks for which entries are checked in advance. */
const PREPARED_BLOCKS = 2;

/**
 * Keeps the pool in step with the chain: mined transactions leave, transactions that spend the same are
 * marked as failed, those of removed blocks return, and a new fork has all verified again.
 */
export class ChainFollower {
  readonly #chain: Blockchain;
  readonly #actions: FollowerActions;
  readonly #removers: (() => void)[] = [];
  #version = 0;
  readonly #tasks = new Mutex();
  #returning: Promise<void> | undefined;
  #preparing = false;
  #stopped = false;

  constructor(chain: Blockchain, actions: FollowerActions) {
    this.#chain = chain;
    this.#actions = actions;
  }

  /** Call it once the stored transactions are in the pool: those verified for another fork are verified again. */
  start(): void {
    const onAdded = (blocks: AddedBlock[]) => this.#added(blocks);
    const onRemoved = ({ removed }: { removed: BlockBundle[] }) => this.#returned(removed);
    const onAlternative = ({ bundle }: { bundle: CompleteBlock }) => {
      void this.#takeBack(bundle.txs);
    };
    this.#chain.on('blocks-added', onAdded);
    this.#chain.on('reorg', onRemoved);
    this.#chain.on('popped', onRemoved);
    this.#chain.on('alternative-block', onAlternative);
    this.#removers.push(
      () => this.#chain.off('blocks-added', onAdded),
      () => this.#chain.off('reorg', onRemoved),
      () => this.#chain.off('popped', onRemoved),
      () => this.#chain.off('alternative-block', onAlternative),
    );
    this.#version = this.#chain.nextVersion();
    const other = this.#actions.state.byId.filter(
      ({ verification }) => verification?.version !== this.#version,
    );
    if (other.length > 0) void this.#later(() => this.#revalidate(other));
  }

  /** Stops following the chain; resolves when the work under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const remove of this.#removers.splice(0)) remove();
    await this.idle();
  }

  /** Resolves when all changes so far have been followed. */
  async idle(): Promise<void> {
    while (this.#tasks.busy) await this.#tasks.idle();
  }

  /** Ends when the transactions of all blocks removed so far are in the pool again, unless the chain has them; undefined when they are. */
  get returning(): Promise<void> | undefined {
    return this.#returning;
  }

  #added(blocks: readonly AddedBlock[]): void {
    const { state, remove } = this.#actions;
    if (state.size > 0) {
      for (const { height, bundle, meta } of blocks) {
        for (const { id } of bundle.txs) {
          const entry = state.get(toHex(id));
          if (entry !== undefined) remove(entry, 'mined');
        }
        for (const { tx } of bundle.txs) {
          for (const input of tx.inputs) {
            if (input.kind === 'key') this.#fail(input.keyImage, height, meta.id);
          }
        }
      }
    }
    this.#moved();
  }

  /** Marks entries as failed whose output another transaction of the chain now spends. */
  #fail(keyImage: Uint8Array, height: number, blockId: Uint8Array): void {
    for (const entry of this.#actions.state.spenders(keyImage)) {
      entry.markFailed(height, blockId);
      this.#actions.changed(entry);
    }
  }

  #returned(removed: readonly BlockBundle[]): void {
    // Before the entries are looked at in advance: miners wait for these.
    const txs = removed.flatMap((bundle) => bundle.txs);
    if (txs.length > 0) {
      const returning = this.#takeBack(txs).then(() => {
        if (this.#returning === returning) this.#returning = undefined;
      });
      this.#returning = returning;
    }
    this.#moved();
  }

  /** Adds transactions of removed blocks, except those that the chain has again by then. */
  async #takeBack(txs: readonly (Uint8Array | ParsedTransaction)[]): Promise<void> {
    if (txs.length === 0) return;
    await this.#later(async () => {
      for (let at = 0; at < txs.length && !this.#stopped; at += VERIFIED_AT_A_TIME) {
        const some = txs.slice(at, at + VERIFIED_AT_A_TIME);
        await Promise.all(some.map((tx) => this.#actions.takeBack(tx)));
      }
    });
  }

  #moved(): void {
    this.#actions.tipChanged();
    const version = this.#chain.nextVersion();
    if (version !== this.#version) {
      this.#version = version;
      this.#actions.state.log.reset();
      void this.#later(() => this.#revalidate(this.#actions.state.byId));
    }
    if (this.#actions.state.size > 0 && !this.#preparing) {
      this.#preparing = true;
      void this.#later(() => this.#prepare());
    }
  }

  async #revalidate(entries: readonly PoolEntry[]): Promise<void> {
    for (let at = 0; at < entries.length && !this.#stopped; at += VERIFIED_AT_A_TIME) {
      const some = entries.slice(at, at + VERIFIED_AT_A_TIME);
      await Promise.all(some.map((entry) => this.#actions.revalidate(entry)));
    }
  }

  /** Checks the best entries in advance, so that a template can be made at once on request. */
  async #prepare(): Promise<void> {
    const yielder = new Yielder();
    await yielder.yieldNow();
    this.#preparing = false;
    let left = PREPARED_BLOCKS * this.#chain.weightState().limit;
    for (const entry of this.#actions.state.byFee) {
      if (left <= 0 || this.#stopped) return;
      if (this.#actions.state.get(entry.key) !== entry) continue;
      this.#actions.prepare(entry);
      left -= entry.weight;
      await yielder.yieldIfDue();
    }
  }

  /** Runs a task after those before it. Never rejects. */
  #later(task: () => Promise<void>): Promise<void> {
    return this.#tasks.run(task).catch((error: unknown) => this.#actions.failed(error));
  }
}
