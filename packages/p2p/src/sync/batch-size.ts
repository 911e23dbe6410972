/** Most blocks a server gives at once. */
export const MAX_BLOCKS_PER_REQUEST = 100;
/** Weight a request is aimed to stay below, in bytes. */
const BATCH_WEIGHT = 10_000_000;

/**
 * How many blocks to ask for (`src/cryptonote_core/cryptonote_core.cpp`, get_block_sync_size):
 * the user's choice, or as many as fit ten megabytes when blocks go on being as heavy as the
 * heaviest lately.
 * @param heaviest weight of the heaviest of the last 100 blocks or of those in the queue
 */
export function batchSize(chosen: number, heaviest: number): number {
  if (chosen > 0) return Math.min(chosen, MAX_BLOCKS_PER_REQUEST);
  if (heaviest * MAX_BLOCKS_PER_REQUEST < BATCH_WEIGHT) return MAX_BLOCKS_PER_REQUEST;
  if (heaviest >= BATCH_WEIGHT / 2) return 1;
  return Math.floor(BATCH_WEIGHT / heaviest);
}
