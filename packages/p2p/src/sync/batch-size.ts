/** Most blocks in one answer. */
export const MAX_BLOCKS_PER_REQUEST = 100;
/** Weight that the blocks of a request should not exceed, in bytes. */
const BATCH_WEIGHT = 10_000_000;

/**
 * Returns how many blocks to request, 1..100: the user's choice, or as many as fit in ten megabytes if all of them are as
 * heavy as the heaviest recent block.
 * Source: get_block_sync_size in src/cryptonote_core/cryptonote_core.cpp
 * @param heaviest weight of the heaviest of the last 100 blocks or of those in the queue
 */
export function batchSize(chosen: number, heaviest: number): number {
  if (chosen > 0) return Math.min(chosen, MAX_BLOCKS_PER_REQUEST);
  if (heaviest * MAX_BLOCKS_PER_REQUEST < BATCH_WEIGHT) return MAX_BLOCKS_PER_REQUEST;
  if (heaviest >= BATCH_WEIGHT / 2) return 1;
  return Math.floor(BATCH_WEIGHT / heaviest);
}
