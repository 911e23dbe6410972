import type { ConsensusErrorCode } from '@monero-node/consensus';
import type { AddTxOptions, AddTxResult } from './tx-admission.ts';
import { VERIFIED_AT_A_TIME } from '../limits.ts';
import type { PoolTransaction } from '../store/pool-entry.ts';
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
}

/** Whether a peer that sends a transaction with this error is dropped. */
export type IsOffense = (code: ConsensusErrorCode) => boolean;

/** The pool, as the intake uses it. */
export interface IntakePool {
  add(blob: Uint8Array, options: AddTxOptions): Promise<AddTxResult>;
  transaction(id: Uint8Array): PoolTransaction | undefined;
  emit(
    event: 'relay',
    batch: { transactions: PoolTransaction[]; method: RelayMethod; from: string },
  ): boolean;
}

/** Adds the transactions of a peer's message and has them relayed. */
export class PeerIntake {
  readonly #pool: IntakePool;

  constructor(pool: IntakePool) {
    this.#pool = pool;
  }

  /**
   * Adds the transactions of a message and has them relayed, up to the first one that is an offense.
   * Resolves to false after an offense: the peer must be dropped. A transaction that has timed out is
   * always an offense.
   */
  async receive(message: PeerTransactions, isOffense: IsOffense): Promise<boolean> {
    const { txs, fluff, hidden = false, connectionId } = message;
    const relay: RelayMethod = fluff ? 'fluff' : hidden ? 'forward' : 'stem';
    const batches: Record<'stem' | 'fluff', PoolTransaction[]> = { stem: [], fluff: [] };
    let isGood = true;
    for (let at = 0; at < txs.length && isGood; at += VERIFIED_AT_A_TIME) {
      const results = await Promise.all(
        txs
          .slice(at, at + VERIFIED_AT_A_TIME)
          .map((blob) => this.#pool.add(blob, { source: 'peer', relay })),
      );
      for (const result of results) {
        if (result.status === 'timed-out') isGood = false;
        else if (result.status === 'refused' && isOffense(result.error.code)) isGood = false;
        else this.#sort(result, batches);
      }
    }
    for (const method of ['stem', 'fluff'] as const) {
      const transactions = batches[method];
      if (transactions.length > 0) {
        this.#pool.emit('relay', { transactions, method, from: connectionId });
      }
    }
    return isGood;
  }

  #sort(result: AddTxResult, batches: Record<'stem' | 'fluff', PoolTransaction[]>): void {
    if (result.status !== 'added' && result.status !== 'known') return;
    const { relay } = result;
    if (relay !== 'stem' && relay !== 'fluff') return;
    const transaction = this.#pool.transaction(result.id);
    if (transaction !== undefined) batches[relay].push(transaction);
  }
}
