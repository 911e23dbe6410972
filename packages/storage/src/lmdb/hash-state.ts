import { sliceOf, SLICES, WaitingHashes } from './waiting-hashes.ts';

/** The tables whose keys are hashes in the order of chance, and which are therefore written late. */
export type HashTable = 'tx_id' | 'key_image';

/** What HashIndex knows besides the tables. */
export interface HashState {
  waiting: Record<HashTable, WaitingHashes>;
  /** Per slice: the hashes of the blocks below this height are in the tables, the others wait. */
  written: number[];
}

export function emptyState(): HashState {
  return {
    waiting: { tx_id: new WaitingHashes(), key_image: new WaitingHashes() },
    written: Array.from({ length: SLICES }, () => 0),
  };
}

/** Whether the tables ought to have the hash, which is of the block of the height. */
export function isWritten({ written }: HashState, hash: Uint8Array, height: number): boolean {
  return height < (written[sliceOf(hash)] ?? 0);
}

/** How many hashes wait, of both kinds. */
export function waitingCount({ waiting }: HashState): number {
  return waiting.tx_id.size + waiting.key_image.size;
}

/** Height (32 bits) and position in the block as one number that a double holds exactly. */
export function placeOf(height: number, position = 0): number {
  return height * POSITIONS + position;
}

export function heightOfPlace(place: number): number {
  return Math.floor(place / POSITIONS);
}

export function positionOfPlace(place: number): number {
  return place % POSITIONS;
}

const POSITIONS = 2 ** 21;
