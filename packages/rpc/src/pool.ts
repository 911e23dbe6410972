import type { ParsedTransaction } from '@monero-node/codec';
import type { PoolChanges, PoolTransaction } from '@monero-node/mempool';
import type { RpcFlag } from './error-flags.ts';

/** What the RPC reads from the transaction pool. */
export interface RpcPool {
  /** All transactions, ordered by id as monerod's database orders them (last byte first). */
  transactions(): readonly PoolTransaction[];
  transaction(id: Uint8Array): PoolTransaction | undefined;
  /** Whether a pool transaction spends it; without `includePrivate` one that the public knows. */
  isSpent(keyImage: Uint8Array, includePrivate?: boolean): boolean;
  /** Candidates for the next block, best first. */
  templateBacklog(): readonly PoolTransaction[];
  /** @param since Unix seconds; 0 for everything */
  changesSince(since: number, includePrivate: boolean): PoolChanges;
  /** Resolves when the pool has followed every change of the chain so far. */
  idle(): Promise<void>;
}

/** What became of a transaction that a client handed in. */
export interface SendAnswer {
  readonly ok: boolean;
  /** Good, but not passed on: it is known already, or was not to be. */
  readonly notRelayed: boolean;
  readonly flags: readonly RpcFlag[];
  readonly reason: string;
}

/** What the RPC does to the transaction pool. */
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
  /** Sends a transaction of the pool to peers (again); false when it is not there. */
  relay(id: Uint8Array): boolean;
  /** Takes out the given transactions, or all. Returns how many. */
  flush(ids?: readonly Uint8Array[]): Promise<number>;
}

/** Stands in where a node keeps no pool. */
export const EMPTY_POOL: RpcPool = {
  transactions: () => [],
  transaction: () => undefined,
  isSpent: () => false,
  templateBacklog: () => [],
  changesSince: () => ({ incremental: false, added: [], removed: [] }),
  idle: () => Promise.resolve(),
};
