import {
  bytesEqual,
  DecodeError,
  keyImagesOf,
  parseTransaction,
  toHex,
  type ParsedTransaction,
} from '@monero-node/codec';
import type { Blockchain, InputCheck } from '@monero-node/blockchain';
import { ConsensusError, feeOf, MAX_TX_SIZE, transactionWeight } from '@monero-node/consensus';
import type { PoolStore } from '@monero-node/storage';
import type { AddTxOptions, AddTxResult } from './add-result.ts';
import { PendingLimit } from './pending-limit.ts';
import type { PoolEditor } from './pool-editor.ts';
import { copyKeyImages, PoolEntry } from './pool-entry.ts';
import type { PoolState } from './pool-state.ts';
import { isSelectable, isUpgrade, RELAY_METHODS, type RelayMethod } from './relay-method.ts';
import { poolDoubleSpend, type Verdict, type Verification } from './verification.ts';

const NO_ID = new Uint8Array(32);
/** Tries to judge a transaction before the chain or the pool moves again. */
const ATTEMPTS = 5;

export interface AdmissionDependencies {
  readonly chain: Blockchain;
  readonly store: PoolStore;
  readonly state: PoolState;
  readonly editor: PoolEditor;
  readonly verification: Verification;
}

/**
 * Lets transactions into the pool. Many are verified at a time; what decides about taking one, and the
 * taking, happens at once. Source: add_tx in src/cryptonote_core/tx_pool.cpp and add_new_tx in
 * cryptonote_core.cpp.
 */
export class Admission {
  readonly #chain: Blockchain;
  readonly #store: PoolStore;
  readonly #state: PoolState;
  readonly #editor: PoolEditor;
  readonly #verification: Verification;
  /** Of clients and of peers: a flood of the ones must not shut out the others. */
  readonly #pending = { local: new PendingLimit(), peer: new PendingLimit() };

  constructor({ chain, store, state, editor, verification }: AdmissionDependencies) {
    this.#chain = chain;
    this.#store = store;
    this.#state = state;
    this.#editor = editor;
    this.#verification = verification;
  }

  /**
   * Judges a transaction and takes it if it is good. Resolves once it is stored.
   *
   * @param tx full blob, not to be changed afterwards, or the transaction where it is decoded already
   * @throws StorageError
   */
  async add(tx: Uint8Array | ParsedTransaction, options: AddTxOptions): Promise<AddTxResult> {
    const task = () => this.#add(tx, options);
    // Blocks are taken one by one, and what they bring must not be lost.
    const { source } = options;
    if (source === 'block') return task();
    const { length } = tx instanceof Uint8Array ? tx : tx.blob;
    return (await this.#pending[source].run(length, task)) ?? { status: 'busy' };
  }

  async #add(tx: Uint8Array | ParsedTransaction, options: AddTxOptions): Promise<AddTxResult> {
    const blob = tx instanceof Uint8Array ? tx : tx.blob;
    if (blob.length > MAX_TX_SIZE) {
      return {
        status: 'refused',
        error: new ConsensusError('tx-too-big', `${blob.length} bytes`),
      };
    }
    let parsed: ParsedTransaction;
    try {
      parsed = tx instanceof Uint8Array ? parseTransaction(tx) : tx;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { status: 'refused', error: new ConsensusError('bad-tx-blob', error.message) };
    }
    const method = methodOf(options);
    const key = toHex(parsed.id);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const early = this.#known(parsed.id, key, method);
      if (early !== undefined) return early;
      const verdict = await this.#verification.verify(parsed, {
        fromBlock: method === 'block',
        conflicts: () => this.#state.conflicts(key, keyImagesOf(parsed.tx)).length > 0,
      });
      const result =
        this.#known(parsed.id, key, method) ?? this.#admit(parsed, key, options, verdict);
      if (result === undefined) continue;
      await this.#editor.saved();
      return result;
    }
    return { status: 'busy' };
  }

  /** What can be said without verifying anything. */
  #known(id: Uint8Array, key: string, method: RelayMethod): AddTxResult | undefined {
    const entry = this.#state.get(key);
    if (entry !== undefined && (isSelectable(entry.relay) || method === 'block')) {
      if (method === 'block' && isUpgrade(entry.relay, 'block'))
        this.#editor.setRelay(entry, 'block');
      return { status: 'known', id, where: 'pool', relay: 'none' };
    }
    if (this.#chain.store.txLocation(id) !== undefined) {
      return { status: 'known', id, where: 'chain', relay: 'none' };
    }
    if (method !== 'block' && this.#editor.isTimedOut(key)) return { status: 'timed-out', id };
    return undefined;
  }

  /** Undefined: the verdict does not hold any more. */
  #admit(
    parsed: ParsedTransaction,
    key: string,
    options: AddTxOptions,
    verdict: Verdict,
  ): AddTxResult | undefined {
    const method = methodOf(options);
    const { id } = parsed;
    const keyImages = copyKeyImages(parsed);
    const conflicts = this.#state.conflicts(key, keyImages);
    if (verdict.error !== undefined && verdict.error.code !== 'pool-double-spend') {
      // What was wrong for one tip, or for the fork it had, may be right for the next.
      if (!this.#isTip(verdict.tipId)) return undefined;
      return { status: 'refused', id, error: verdict.error };
    }
    if (method !== 'block' && conflicts.length > 0) {
      this.#editor.markDoubleSpends(conflicts);
      return { status: 'refused', id, error: poolDoubleSpend(key) };
    }
    if (verdict.error !== undefined) return undefined;
    const { inputs } = verdict;
    if (inputs !== undefined && !this.#stillHolds(parsed, inputs)) return undefined;
    const existing = this.#state.get(key);
    if (existing !== undefined) return this.#again(existing, options);
    const entry = this.#newEntry(parsed, keyImages, options, inputs, conflicts.length > 0);
    this.#editor.insert(entry);
    return { status: 'added', id, relay: relayOf(entry) };
  }

  #isTip(id: Uint8Array): boolean {
    return bytesEqual(id, this.#chain.transactionVerifier.tip.id);
  }

  /** Whether inputs are still good under the tip, were they good under the one before. */
  #stillHolds(parsed: ParsedTransaction, { verification, tipId }: InputCheck): boolean {
    const { transactionVerifier } = this.#chain;
    if (this.#isTip(tipId)) return true;
    try {
      const now = transactionVerifier.checkInputs(parsed).verification;
      return now.version === verification.version && toHex(now.ring) === toHex(verification.ring);
    } catch (error) {
      if (error instanceof ConsensusError) return false;
      throw error;
    }
  }

  #newEntry(
    parsed: ParsedTransaction,
    keyImages: Uint8Array[],
    options: AddTxOptions,
    inputs: InputCheck | undefined,
    doubleSpendSeen: boolean,
  ): PoolEntry {
    const method = methodOf(options);
    const now = this.#editor.now();
    // A transaction from a block whose inputs fail counts as relayed when it came.
    const relayTime = inputs === undefined ? now : this.#editor.schedule.dueTime(method, now);
    const entry = new PoolEntry({
      id: parsed.id,
      keyImages,
      blob: parsed.blob.slice(),
      load: (id) => this.#store.poolBlob(id),
      meta: {
        weight: transactionWeight(parsed),
        fee: feeOf(parsed),
        receiveTime: now,
        lastRelayedTime: relayTime,
        maxUsedBlockHeight: inputs?.maxUsedBlockHeight ?? 0,
        maxUsedBlockId: inputs?.maxUsedBlockId ?? NO_ID,
        lastFailedHeight: 0,
        lastFailedId: NO_ID,
        relayMethod: RELAY_METHODS.indexOf(method),
        relayed: options.source !== 'local',
        doubleSpendSeen: inputs === undefined && doubleSpendSeen,
        ...(inputs && { verified: inputs.verification }),
      },
    });
    if (inputs !== undefined) entry.readyAt = toHex(this.#chain.transactionVerifier.tip.id);
    return entry;
  }

  /** A transaction that few know comes again. In the stem phase that means a loop: it becomes public. */
  #again(entry: PoolEntry, options: AddTxOptions): AddTxResult {
    const asked = methodOf(options);
    const method = asked === 'stem' && entry.relay === 'stem' ? 'fluff' : asked;
    if (isUpgrade(entry.relay, method)) {
      const now = this.#editor.now();
      entry.receiveTime = now;
      entry.relayTime = this.#editor.schedule.dueTime(method, now);
      entry.relayed = options.source !== 'local';
      entry.doubleSpendSeen = false;
      entry.clearFailure();
      this.#editor.setRelay(entry, method);
    }
    const relay = entry.fee > 0n && method !== 'forward' ? method : 'none';
    return { status: 'known', id: entry.id, where: 'pool', relay };
  }
}

function methodOf({ source, relay, doNotRelay = false }: AddTxOptions): RelayMethod {
  if (source === 'block') return 'block';
  if (doNotRelay) return 'none';
  return relay ?? (source === 'local' ? 'local' : 'stem');
}

/** How a new transaction is to be passed on. */
function relayOf({ fee, relay }: PoolEntry): RelayMethod {
  return fee > 0n && relay !== 'forward' ? relay : 'none';
}
