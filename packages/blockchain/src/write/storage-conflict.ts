import { ConsensusError } from '@monero-node/consensus';
import { StorageError } from '@monero-node/storage/memory';

/** A rule that verification missed and the store enforces. */
export interface StorageConflict {
  /** Height of the block that breaks it. */
  readonly height: number;
  readonly error: ConsensusError;
}

/** Returns the rule that a refused commit breaks, and the block that breaks it; undefined for other errors. */
export function storageConflict(error: unknown): StorageConflict | undefined {
  if (!(error instanceof StorageError) || error.height === undefined) return undefined;
  const { code, height, message } = error;
  if (code === 'duplicate-key-image')
    return { height, error: new ConsensusError('double-spend', message, { height }) };
  if (code === 'duplicate-tx')
    return { height, error: new ConsensusError('duplicate-tx', message, { height }) };
  return undefined;
}
