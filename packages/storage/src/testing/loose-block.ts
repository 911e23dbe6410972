import { recordOf, type LooseBlock } from '../record-objects.ts';
import type { StoreChange } from '../chain-store.ts';

/** A change that appends blocks of objects, which tests read and change easily. */
export type LooseChange = Omit<StoreChange, 'append'> & { append?: readonly LooseBlock[] };

/** Returns the change for a store. Throws StorageError `bad-record`. */
export function changeOf({ append, ...rest }: LooseChange): StoreChange {
  return append === undefined ? rest : { ...rest, append: append.map(recordOf) };
}
