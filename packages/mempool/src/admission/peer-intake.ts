import type { ParsedTransaction } from '@monero-node/codec';
import type { ConsensusErrorCode } from '@monero-node/consensus';
import type { AddTxOptions, AddTxResult } from './tx-admission.ts';
import { INPUTS_AT_A_TIME, VERIFIED_AT_A_TIME } from '../limits.ts';
import type { PoolTransaction } from '../store/pool-entry.ts';
import { inputsToProve } from './pending-limit.ts';
import type { RelayMethod } from '../store/relay-method.ts';

/** A message with transactions from a peer. */
export interface PeerTransactions {
  /** Full blobs. */
  readonly txs: readonly Uint8Array[];
  /** False while the transactions are in the stem phase. */
  readonly fluff: boolean;
  /** They came over an anonymity network: they are held for a while before they are relayed. */
  readonly hidden?: boolean;
  /** Connection they came over, 32 hex digits. */
  readonly connectionId: string;
  /** Aborted when the peer has left. */
  readonly left?: AbortSignal;
}

/** Whether a peer that sends a transaction with this error is dropped. */
export type IsOffense = (code: ConsensusErrorCode) => boolean;

/** Returns a transaction, or its bytes when they do not decode. */
export type Decode = (blob: Uint8Array) => Uint8Array | ParsedTransaction;

/** The pool, as the intake uses it. */
export interface IntakePool {
  add(tx: Uint8Array | ParsedTransaction, options: AddTxOptions): Promise<AddTxResult>;
  transaction(id: Uint8Array): PoolTransaction | undefined;
  emit(
    event: 'relay',
    batch: { transactions: PoolTransaction[]; method: RelayMethod; from: string },
  ): boolean;
}

/** Adds the transactions of a peer's message and has them relayed. */
export class PeerIntake {
  readonly #pool: IntakePool;
  readonly #decode: Decode;

  constructor(pool: IntakePool, decode: Decode) {
    this.#pool = pool;
    this.#decode = decode;
  }

  /**
   * Adds the transactions of a message and has them relayed, up to the first one that is an offense.
   * Resolves to false after an offense: the peer must be dropped. A transaction that has timed out is
   * always an offense.
   */
  async receive(message: PeerTransactions, isOffense: IsOffense): Promise<boolean> {
    const { txs, fluff, hidden = false, connectionId, left } = message;
    const relay: RelayMethod = fluff ? 'fluff' : hidden ? 'forward' : 'stem';
    const batches: Record<'stem' | 'fluff', PoolTransaction[]> = { stem: [], fluff: [] };
    let isGood = true;
    for (const group of this.#groupsOf(txs)) {
      const results = await Promise.all(
        group.map((tx) => this.#pool.add(tx, { source: 'peer', relay, left })),
      );
      for (const result of results) {
        if (result.status === 'timed-out') isGood = false;
        else if (result.status === 'refused' && isOffense(result.error.code)) isGood = false;
        else this.#sort(result, batches);
      }
      if (!isGood) break;
    }
    for (const method of ['stem', 'fluff'] as const) {
      const transactions = batches[method];
      if (transactions.length > 0) {
        this.#pool.emit('relay', { transactions, method, from: connectionId });
      }
    }
    return isGood;
  }

  /** Decodes transactions as they are asked for, so many at a time as a peer may have verified before we know that none is wrong. */
  *#groupsOf(txs: readonly Uint8Array[]): Generator<(Uint8Array | ParsedTransaction)[]> {
    let group: (Uint8Array | ParsedTransaction)[] = [];
    let inputs = 0;
    for (const blob of txs) {
      const tx = this.#decode(blob);
      const own = tx instanceof Uint8Array ? 0 : inputsToProve(tx);
      const isFull =
        group.length >= VERIFIED_AT_A_TIME || (own > 0 && inputs + own > INPUTS_AT_A_TIME);
      if (isFull && group.length > 0) {
        yield group;
        [group, inputs] = [[], 0];
      }
      group.push(tx);
      inputs += own;
    }
    if (group.length > 0) yield group;
  }

  #sort(result: AddTxResult, batches: Record<'stem' | 'fluff', PoolTransaction[]>): void {
    if (result.status !== 'added' && result.status !== 'known') return;
    const { relay } = result;
    if (relay !== 'stem' && relay !== 'fluff') return;
    const transaction = this.#pool.transaction(result.id);
    if (transaction !== undefined) batches[relay].push(transaction);
  }
}
