/** A pool transaction as the RPC shows it. Times are Unix seconds; ids are 32 bytes. */
export interface PoolTransaction {
  readonly id: Uint8Array;
  /** Full blob. */
  readonly blob: Uint8Array;
  readonly weight: number;
  readonly fee: bigint;
  readonly receiveTime: number;
  /** Undefined = never. */
  readonly lastRelayedTime: number | undefined;
  readonly relayed: boolean;
  readonly doNotRelay: boolean;
  /** Came back from, or arrived with, a block. */
  readonly keptByBlock: boolean;
  readonly doubleSpendSeen: boolean;
  readonly maxUsedBlockHeight: number;
  readonly maxUsedBlockId: Uint8Array;
  /** 0 = never failed. */
  readonly lastFailedHeight: number;
  readonly lastFailedId: Uint8Array;
  /** Known to the public; the only ones that a restricted listener shows. */
  readonly broadcast: boolean;
  readonly keyImages: readonly Uint8Array[];
}

/** What the RPC reads from the transaction pool. */
export interface RpcPool {
  /** All transactions, ordered by id as monerod's database orders them (last byte first). */
  transactions(): readonly PoolTransaction[];
  transaction(id: Uint8Array): PoolTransaction | undefined;
  /** Whether a pool transaction spends it. */
  isSpent(keyImage: Uint8Array): boolean;
  /** Candidates for the next block, best first. */
  templateBacklog(): readonly PoolTransaction[];
}

/** Stands in where a node keeps no pool. */
export const EMPTY_POOL: RpcPool = {
  transactions: () => [],
  transaction: () => undefined,
  isSpent: () => false,
  templateBacklog: () => [],
};
