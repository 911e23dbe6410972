import type { ParsedBlock } from '@monero-node/codec';

/**
 * A received block: itself decoded, its transactions still bytes. Decoded transactions take several times the memory, so
 * they are decoded just before they are verified.
 */
export interface ReceivedBlock {
  readonly block: ParsedBlock;
  /** As many as the block lists. */
  readonly txs: readonly Uint8Array[];
  /** For a pruned block: per transaction the 32-byte hash of its missing part, zeros if none is missing. */
  readonly prunableHashes?: readonly Uint8Array[];
}
