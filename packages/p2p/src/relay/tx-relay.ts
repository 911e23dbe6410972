import type { ConsensusErrorCode } from '@monero-node/consensus';

/** A message with transactions, as it came from a peer. */
export interface PeerTransactions {
  readonly txs: readonly Uint8Array[];
  /** False while the transactions are in the stem phase. */
  readonly fluff: boolean;
  /** They came over an anonymity network. */
  readonly hidden?: boolean;
  /** Connection they came over, 32 hex digits. */
  readonly connectionId: string;
}

/**
 * How transactions are to be passed on: `local` from a client of this node, `forward` held back for an anonymity
 * network, `stem` and `fluff` the phases of Dandelion++. Transactions of the other two are never sent.
 */
export type PeerRelayMethod = 'none' | 'local' | 'forward' | 'stem' | 'fluff' | 'block';

/** Transactions that the pool wants sent. */
export interface RelayBatch {
  readonly transactions: readonly { readonly id: Uint8Array; readonly blob: Uint8Array }[];
  readonly method: PeerRelayMethod;
  /** Connection they came over, if one did. */
  readonly from?: string;
}

/**
 * The transaction pool as the peer-to-peer part sees it. Without one, transactions from peers are
 * bounded by the frame limits and then ignored, an enquiry for pool transactions is answered with
 * none, and every transaction a new block needs is asked for.
 */
export interface TxRelay {
  /** Full blob of a pool transaction. */
  transactionBlob(id: Uint8Array): Uint8Array | undefined;
  /** Ids of the pool transactions that peers may know we have. */
  publicIds(): Uint8Array[];
  /** Full blobs of those of them that are not listed. */
  complement(known: readonly Uint8Array[]): Uint8Array[];
  /**
   * Takes transactions from a peer. Resolves to false when the peer is to be dropped for one of them.
   *
   * @param isOffense whether a peer is dropped for a transaction with this error
   */
  receive(
    message: PeerTransactions,
    isOffense: (code: ConsensusErrorCode) => boolean,
  ): Promise<boolean>;
  /** Transactions were sent to peers by that method. */
  markRelayed(ids: readonly Uint8Array[], method: PeerRelayMethod): void;
}
