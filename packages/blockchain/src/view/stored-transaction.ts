import {
  concatBytes,
  DecodeError,
  parseTransactionLazily,
  type ParsedTransaction,
} from '@monero-node/codec';
import type { StoredTx } from '@monero-node/storage';

/** Decodes a transaction of a store, in its base form if the rest was dropped. Returns undefined when it is malformed. */
export function decodeStored(stored: StoredTx): ParsedTransaction | undefined {
  if (stored.dropped) return decodeStoredBase(stored);
  return decoded(() => parseTransactionLazily(concatBytes(stored.pruned, stored.prunable)));
}

/** Decodes the base form of a transaction of a store. Returns undefined when it is malformed. */
export function decodeStoredBase({
  pruned,
  prunableHash,
}: Pick<StoredTx, 'pruned' | 'prunableHash'>): ParsedTransaction | undefined {
  return decoded(() => parseTransactionLazily(pruned, prunableHash));
}

/** Returns what a parser returns; undefined for bytes that it refuses. */
export function decoded<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
