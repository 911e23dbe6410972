import type { ParsedTransaction } from '@monero-node/codec';
import type { AddTxResult, PoolChanges, PoolTransaction } from '@monero-node/mempool';
import { RPC_FLAGS_OF_ERROR, type RpcFlag } from './error-flags.ts';

/** The part of the transaction pool that the RPC reads. */
export interface RpcPool {
  /** All transactions, ordered by id as monerod's database orders them (last byte first). */
  transactions(): readonly PoolTransaction[];
  /** Number of transactions; only of public ones without `includePrivate`. */
  count(includePrivate: boolean): number;
  transaction(id: Uint8Array): PoolTransaction | undefined;
  /** Whether a pool transaction spends the key image; without `includePrivate`, only public ones count. */
  isSpent(keyImage: Uint8Array, includePrivate?: boolean): boolean;
  /** Candidates for the next block, best first. */
  templateBacklog(): readonly PoolTransaction[] | Promise<readonly PoolTransaction[]>;
  /** @param since Unix seconds; 0 for everything */
  changesSince(since: number, includePrivate: boolean): PoolChanges | Promise<PoolChanges>;
  /** Ends when the transactions of blocks that were removed are back in the pool; undefined when none is missing. */
  readonly returning?: Promise<void> | undefined;
  /** Resolves when the pool has followed every change of the chain so far. */
  idle(): Promise<void>;
}

/** The outcome of submitting a transaction. */
export interface SendAnswer {
  readonly ok: boolean;
  /** Nothing is known of it, because too many wait to be verified: the client may try again. False when absent. */
  readonly isBusy?: boolean;
  /** Valid, but not relayed: it was already known, or the caller asked not to. */
  readonly notRelayed: boolean;
  readonly flags: readonly RpcFlag[];
  readonly reason: string;
  /** Why it was refused, in words for the log; monerod does not answer with them. */
  readonly why?: string;
}

/** The changes that the RPC makes to the transaction pool. */
export interface RpcTransactions {
  /**
   * Verifies a transaction, keeps it and sends it to peers unless told not to.
   *
   * @param tx full blob, or the transaction where it is decoded already
   */
  submit(
    tx: Uint8Array | ParsedTransaction,
    options: { readonly doNotRelay: boolean },
  ): Promise<SendAnswer>;
  /** Sends a pool transaction to peers (again); false when it is not in the pool. */
  relay(id: Uint8Array): boolean;
  /** Removes the given transactions, or all. Returns their number. */
  flush(ids?: readonly Uint8Array[]): Promise<number>;
}

/** The pool of a node without one. */
export const EMPTY_POOL: RpcPool = {
  transactions: () => [],
  count: () => 0,
  transaction: () => undefined,
  isSpent: () => false,
  templateBacklog: () => [],
  changesSince: () => ({ incremental: false, added: [], removed: [] }),
  idle: () => Promise.resolve(),
};

const REFUSED = { ok: false, notRelayed: false, flags: [], reason: '' } as const;

/**
 * Returns what `/send_raw_transaction` answers for a result of the pool. Flags say why it refused; `reason` says only
 * that a valid transaction is not relayed.
 *
 * Source: on_send_raw_tx in src/rpc/core_rpc_server.cpp.
 */
export function sendAnswer(result: AddTxResult): SendAnswer {
  switch (result.status) {
    case 'added':
    case 'known': {
      const notRelayed = result.relay === 'none';
      return { ok: true, notRelayed, flags: [], reason: notRelayed ? 'Not relayed' : '' };
    }
    case 'refused': {
      const flags = RPC_FLAGS_OF_ERROR[result.error.code];
      return { ...REFUSED, flags, why: result.error.message };
    }
    case 'timed-out':
      return { ...REFUSED, why: 'it has left the pool because of its age' };
    case 'busy':
      return { ...REFUSED, isBusy: true, why: 'too many transactions are waiting' };
  }
}
