import { setImmediate as nextTurn } from 'node:timers/promises';
import { toHex, type ParsedTransaction } from '@monero-node/codec';
import type { AddedBlock, Blockchain, BlockBundle, ParsedBundle } from '@monero-node/blockchain';
import { VERIFIED_AT_A_TIME } from './limits.ts';
import type { PoolEntry } from './pool-entry.ts';
import type { PoolState } from './pool-state.ts';

/** What following the chain does to the pool. */
export interface FollowerActions {
  readonly state: PoolState;
  changed(entry: PoolEntry): void;
  remove(entry: PoolEntry, reason: 'mined'): void;
  tipChanged(): void;
  /** Takes a transaction that left the chain, or came with a block of a side chain. */
  takeBack(tx: Uint8Array | ParsedTransaction): Promise<unknown>;
  revalidate(entry: PoolEntry): Promise<void>;
  /** Finds out ahead of time whether an entry may be in the next block. */
  prepare(entry: PoolEntry): unknown;
  failed(error: unknown): void;
}

/** Weights of blocks that entries are looked at for ahead of time. */
const PREPARED_BLOCKS = 2;

/**
 * Keeps the pool in step with the chain: what is mined leaves, what spends the same fails, what blocks give
 * back returns, and a new fork has everything checked again.
 */
export class ChainFollower {
  readonly #chain: Blockchain;
  readonly #actions: FollowerActions;
  readonly #removers: (() => void)[] = [];
  #version = 0;
  #work: Promise<void> = Promise.resolve();
  #preparing = false;
  #stopped = false;

  constructor(chain: Blockchain, actions: FollowerActions) {
    this.#chain = chain;
    this.#actions = actions;
  }

  /** To be called with the stored transactions in the pool: those verified for another fork are checked. */
  start(): void {
    const onAdded = (blocks: AddedBlock[]) => this.#added(blocks);
    const onRemoved = ({ removed }: { removed: BlockBundle[] }) => this.#returned(removed);
    const onAlternative = ({ bundle }: { bundle: ParsedBundle }) => this.#takeBack(bundle.txs);
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
    if (other.length > 0) this.#later(() => this.#revalidate(other));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const remove of this.#removers.splice(0)) remove();
    await this.idle();
  }

  async idle(): Promise<void> {
    let work;
    do {
      work = this.#work;
      await work;
    } while (work !== this.#work);
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

  /** The output is spent in the chain now, by another transaction. */
  #fail(keyImage: Uint8Array, height: number, blockId: Uint8Array): void {
    for (const entry of this.#actions.state.spenders(keyImage)) {
      entry.markFailed(height, blockId);
      this.#actions.changed(entry);
    }
  }

  #returned(removed: readonly BlockBundle[]): void {
    this.#moved();
    this.#takeBack(removed.flatMap(({ txs }) => txs));
  }

  /** A transaction that the chain holds by the time it is looked at is left alone. */
  #takeBack(txs: readonly (Uint8Array | ParsedTransaction)[]): void {
    if (txs.length === 0) return;
    this.#later(async () => {
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
      this.#later(() => this.#revalidate(this.#actions.state.byId));
    }
    if (this.#actions.state.size > 0 && !this.#preparing) {
      this.#preparing = true;
      this.#later(() => this.#prepare());
    }
  }

  async #revalidate(entries: readonly PoolEntry[]): Promise<void> {
    for (let at = 0; at < entries.length && !this.#stopped; at += VERIFIED_AT_A_TIME) {
      const some = entries.slice(at, at + VERIFIED_AT_A_TIME);
      await Promise.all(some.map((entry) => this.#actions.revalidate(entry)));
    }
  }

  /** Looks at the best entries while nobody waits, so that a template is made at once when it is asked for. */
  async #prepare(): Promise<void> {
    await nextTurn();
    this.#preparing = false;
    let left = PREPARED_BLOCKS * this.#chain.weightState().limit;
    for (const entry of [...this.#actions.state.byFee]) {
      if (left <= 0 || this.#stopped) return;
      if (this.#actions.state.get(entry.key) !== entry) continue;
      this.#actions.prepare(entry);
      left -= entry.weight;
      await nextTurn();
    }
  }

  #later(task: () => Promise<void>): void {
    this.#work = this.#work.then(task).catch((error: unknown) => this.#actions.failed(error));
  }
}
