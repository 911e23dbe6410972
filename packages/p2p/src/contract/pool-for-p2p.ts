import type { Yielder } from '@monero-node/base';
import type { ConsensusErrorCode } from '@monero-node/consensus';

/** The transactions of a message from a peer. */
export interface ReceivedTransactions {
  readonly txs: readonly Uint8Array[];
  /** False while the transactions are in the stem phase. */
  readonly fluff: boolean;
  /** The message arrived over an anonymity network. */
  readonly hidden?: boolean;
  /** Id of the connection, 32 hex digits. */
  readonly connectionId: string;
  /** Aborted when the connection has ended. */
  readonly left?: AbortSignal;
}

/**
 * How transactions are relayed: `local` from a client of this node, `forward` held back after an anonymity network,
 * `stem` and `fluff` the phases of Dandelion++. Transactions of the other two methods are never sent.
 */
export type PeerRelayMethod = 'none' | 'local' | 'forward' | 'stem' | 'fluff' | 'block';

/** Transactions that the pool wants sent. */
export interface RelayBatch {
  readonly transactions: readonly { readonly id: Uint8Array; readonly blob: Uint8Array }[];
  readonly method: PeerRelayMethod;
  /** Id of the connection over which they arrived; absent for those of own clients. */
  readonly from?: string;
}

/**
 * The part of the transaction pool that the peer-to-peer network uses. Without a pool, transactions from peers are
 * bounded by the frame limits and then ignored, requests for pool transactions get an empty answer, and every transaction
 * that a new block needs is requested.
 */
export interface PoolForP2p {
  /** Returns the full blob of a pool transaction. */
  transactionBlob(id: Uint8Array): Uint8Array | undefined;
  /** Returns the ids of public pool transactions, at most `most`: 32 bytes each, one after another. */
  joinedPublicIds(most: number): Uint8Array;
  /**
   * Returns the full blobs of the public pool transactions that are not in `known`: 32-byte ids one after another, which
   * may be many.
   */
  complement(
    known: Uint8Array,
    yielder: Yielder,
  ): Promise<readonly Uint8Array[]> | readonly Uint8Array[];
  /**
   * Takes transactions from a peer. Resolves with false if the peer must be dropped for one of them.
   *
   * @param isOffense whether a peer is dropped for a transaction with this error
   */
  receive(
    message: ReceivedTransactions,
    isOffense: (code: ConsensusErrorCode) => boolean,
  ): Promise<boolean>;
  /** Transactions were sent to peers by that method. */
  markRelayed(ids: readonly Uint8Array[], method: PeerRelayMethod): void;
}
