import { sliceOf, SLICES, WaitingHashes } from './waiting-hashes.ts';

/** The tables whose keys are hashes. They arrive in random order, so these tables are written late. */
export const HASH_TABLES = ['tx_id', 'key_image'] as const;
export type HashTable = (typeof HASH_TABLES)[number];

/** The part of HashIndex that is kept in memory. */
export interface HashState {
  waiting: Record<HashTable, WaitingHashes>;
  /** Per slice: hashes of blocks below this height are in the tables, the others are waiting. */
  written: number[];
}

/** Returns the state of an empty chain. */
export function emptyHashState(): HashState {
  return {
    waiting: { tx_id: new WaitingHashes(), key_image: new WaitingHashes() },
    written: Array.from({ length: SLICES }, () => 0),
  };
}

/** Returns whether a hash (32 bytes) of the block at this height must be in the tables. */
export function isWritten({ written }: HashState, hash: Uint8Array, height: number): boolean {
  return height < (written[sliceOf(hash)] ?? 0);
}

/** Returns the number of waiting hashes of both tables. */
export function waitingCount({ waiting }: HashState): number {
  return waiting.tx_id.size + waiting.key_image.size;
}

/** Returns a height (32 bits) and a position in the block (21 bits) as one number, which a double holds exactly. */
export function placeOf(height: number, position = 0): number {
  return height * POSITIONS + position;
}

/** Returns the height in a number made by `placeOf`. */
export function heightOfPlace(place: number): number {
  return Math.floor(place / POSITIONS);
}

/** Returns the position in the block in a number made by `placeOf`. */
export function positionOfPlace(place: number): number {
  return place % POSITIONS;
}

const POSITIONS = 2 ** 21;
