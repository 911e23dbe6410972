/** A message with transactions, as it came from a peer. */
export interface ReceivedTransactions {
  readonly txs: readonly Uint8Array[];
  /** False while the transactions are in the stem phase. */
  readonly fluff: boolean;
  /** Connection they came over, 32 hex digits. */
  readonly connectionId: string;
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
  /** Takes transactions from a peer; false when the peer is to be dropped for them. */
  receive(message: ReceivedTransactions): Promise<boolean>;
}
