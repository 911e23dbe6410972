import type { Blockchain, InputCheck } from '@monero-node/blockchain';
import {
  DecodeError,
  bytesEqual,
  keyImagesOf,
  parseTransaction,
  toHex,
  type ParsedTransaction,
} from '@monero-node/codec';
import {
  ConsensusError,
  MAX_TX_SIZE,
  feeOf,
  formatsOf,
  transactionWeight,
} from '@monero-node/consensus';
import type { PoolStore } from '@monero-node/storage';
import { MAX_PENDING, MAX_PENDING_BYTES, MAX_PENDING_INPUTS } from '../limits.ts';
import type { PoolEditor } from '../pool-editor.ts';
import { PoolEntry } from '../store/pool-entry.ts';
import type { PoolState } from '../store/pool-state.ts';
import { RELAY_METHODS, isSelectable, isUpgrade, type RelayMethod } from '../store/relay-method.ts';
import { inputsToProve, PendingLimit, type PendingLimits } from './pending-limit.ts';
import { poolDoubleSpend, type PoolVerifier, type PoolVerdict } from './pool-verifier.ts';

/** Where a transaction comes from: a client of this node, a peer, or a block off the main chain. */
export type TxSource = 'local' | 'peer' | 'block';

export interface AddTxOptions {
  readonly source: TxSource;
  /** How it is to be relayed: by default 'local' or 'block' for these sources, and 'stem' for peers. */
  readonly relay?: RelayMethod;
  /** The client asks that it is kept but not relayed. */
  readonly doNotRelay?: boolean;
  /** Aborted when the peer has left. A valid transaction is added all the same; one that seems wrong need not be looked at again. */
  readonly left?: AbortSignal | undefined;
}

/** The result of adding a transaction. Ids are 32 bytes. */
export type AddTxResult =
  /** It is new in the pool. `relay` is the method to relay it by; 'none' for not at all, or not now. */
  | { readonly status: 'added'; readonly id: Uint8Array; readonly relay: RelayMethod }
  /** It is already in the pool or in the chain. `relay` is not 'none' if it is to be relayed (again). */
  | {
      readonly status: 'known';
      readonly id: Uint8Array;
      readonly where: 'pool' | 'chain';
      readonly relay: RelayMethod;
    }
  /** It breaks a rule. */
  | { readonly status: 'refused'; readonly id?: Uint8Array; readonly error: ConsensusError }
  /** It has expired from the pool. */
  | { readonly status: 'timed-out'; readonly id: Uint8Array }
  /** Too many transactions are waiting, or it seems wrong and too many such wait for a second opinion: nothing is known of it. */
  | { readonly status: 'busy' };

const NO_ID = new Uint8Array(32);
/** Attempts to verify a transaction before the chain or the pool changes again. */
const ATTEMPTS = 5;

export interface TxAdmissionDependencies {
  readonly chain: Blockchain;
  readonly store: PoolStore;
  readonly state: PoolState;
  readonly editor: PoolEditor;
  readonly verifier: PoolVerifier;
}

/**
 * Adds transactions to the pool. Many are verified at the same time; the final decision about one and
 * its insertion happen without interruption.
 *
 * Source: tx_memory_pool::add_tx in src/cryptonote_core/tx_pool.cpp, and core::add_new_tx in
 * src/cryptonote_core/cryptonote_core.cpp.
 */
export class TxAdmission {
  readonly #chain: Blockchain;
  readonly #store: PoolStore;
  readonly #state: PoolState;
  readonly #editor: PoolEditor;
  readonly #verifier: PoolVerifier;
  /** Separate limits for clients and peers, so that a flood from one cannot starve the other. */
  readonly #pending = perSource({ count: MAX_PENDING, size: MAX_PENDING_BYTES });
  readonly #pendingInputs = perSource({ count: Infinity, size: MAX_PENDING_INPUTS });

  constructor({ chain, store, state, editor, verifier }: TxAdmissionDependencies) {
    this.#chain = chain;
    this.#store = store;
    this.#state = state;
    this.#editor = editor;
    this.#verifier = verifier;
  }

  /**
   * Verifies a transaction and adds it if it is valid. Resolves once it is stored; one of a peer may be stored some seconds later.
   *
   * Throws StorageError.
   *
   * @param tx full blob, not to be changed afterwards, or the transaction if it is decoded already
   */
  async add(tx: Uint8Array | ParsedTransaction, options: AddTxOptions): Promise<AddTxResult> {
    const task = () => this.#add(tx, options);
    // Blocks come one at a time, and their transactions must not be lost.
    const { source } = options;
    if (source === 'block') return task();
    const { length } = tx instanceof Uint8Array ? tx : tx.blob;
    return (await this.#pending[source].run(length, task)) ?? { status: 'busy' };
  }

  /** Returns a transaction, or its bytes when they do not decode or are too many; {@link add} tells why. */
  decode(blob: Uint8Array): Uint8Array | ParsedTransaction {
    if (blob.length > MAX_TX_SIZE) return blob;
    try {
      return parseTransaction(blob, formatsOf(this.#chain.network));
    } catch (error) {
      if (error instanceof DecodeError) return blob;
      throw error;
    }
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
      parsed = tx instanceof Uint8Array ? parseTransaction(tx, formatsOf(this.#chain.network)) : tx;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { status: 'refused', error: new ConsensusError('bad-tx-blob', error.message) };
    }
    const method = methodOf(options);
    const key = toHex(parsed.id);
    const { source, left } = options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const early = this.#known(parsed.id, key, method);
      if (early !== undefined) return early;
      const verify = () =>
        this.#verifier.verify(parsed, {
          fromBlock: method === 'block',
          conflicts: () => this.#state.conflicts(key, keyImagesOf(parsed.tx)).length > 0,
          stranger: source === 'block' ? undefined : { left },
        });
      const verdict =
        source === 'block'
          ? await verify()
          : await this.#pendingInputs[source].run(inputsToProve(parsed), verify);
      if (verdict === undefined) break;
      const result =
        this.#known(parsed.id, key, method) ?? this.#admit(parsed, key, options, verdict);
      if (result === undefined) continue;
      // Peers have what they sent, and each commit wears the disk.
      await (source === 'peer' ? this.#editor.keptUp() : this.#editor.saved());
      return result;
    }
    return { status: 'busy' };
  }

  /** The result for a transaction that needs no verification; undefined for others. */
  #known(id: Uint8Array, key: string, method: RelayMethod): AddTxResult | undefined {
    const entry = this.#state.get(key);
    // Even a block does not change one that is public or withheld; it makes others public.
    if (entry !== undefined && isSelectable(entry.relay)) {
      return { status: 'known', id, where: 'pool', relay: 'none' };
    }
    if (this.#chain.store.txLocation(id) !== undefined) {
      return { status: 'known', id, where: 'chain', relay: 'none' };
    }
    if (method !== 'block' && this.#editor.isTimedOut(key)) return { status: 'timed-out', id };
    return undefined;
  }

  /** Applies a verdict; undefined when it no longer holds. */
  #admit(
    parsed: ParsedTransaction,
    key: string,
    options: AddTxOptions,
    verdict: PoolVerdict,
  ): AddTxResult | undefined {
    const method = methodOf(options);
    const { id } = parsed;
    const keyImages = keyImagesOf(parsed.tx);
    const conflicts = this.#state.conflicts(key, keyImages);
    if (verdict.error !== undefined && verdict.error.code !== 'pool-double-spend') {
      // A transaction that was invalid for one tip, or its fork, may be valid for the next.
      if (!this.#isTip(verdict.tipId)) return undefined;
      return { status: 'refused', id, error: verdict.error };
    }
    if (method !== 'block' && conflicts.length > 0) {
      this.#editor.markDoubleSpends(conflicts);
      return { status: 'refused', id, error: poolDoubleSpend(key) };
    }
    if (verdict.error !== undefined) return undefined;
    const { inputs } = verdict;
    // One from a block has obeyed its own rules, but perhaps under the version before.
    if (verdict.version !== this.#chain.transactionVerifier.version) return undefined;
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

  /** Whether inputs that were valid at an earlier tip are still valid. */
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
    keyImages: readonly Uint8Array[],
    options: AddTxOptions,
    inputs: InputCheck | undefined,
    doubleSpendSeen: boolean,
  ): PoolEntry {
    const method = methodOf(options);
    const now = this.#editor.now();
    // A transaction from a block whose inputs fail counts as relayed when it arrived.
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

  /**
   * Handles a private transaction that arrives again. In the stem phase that means a loop: it becomes public, as it does
   * when a block brings it.
   */
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

function perSource(limits: PendingLimits): Record<'local' | 'peer', PendingLimit> {
  return { local: new PendingLimit(limits), peer: new PendingLimit(limits) };
}

function methodOf({ source, relay, doNotRelay = false }: AddTxOptions): RelayMethod {
  if (source === 'block') return 'block';
  if (doNotRelay) return 'none';
  return relay ?? (source === 'local' ? 'local' : 'stem');
}

/** The method by which a new transaction is to be relayed. */
function relayOf({ fee, relay }: PoolEntry): RelayMethod {
  return fee > 0n && relay !== 'forward' ? relay : 'none';
}
