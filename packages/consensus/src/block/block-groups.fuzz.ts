import { bytesEqual, DecodeError } from '@monero-node/codec';
import { encodeBlockGroups, parseBlockGroups, type BlockGroup } from './block-groups.ts';

const group = { ids: new Uint8Array(32).fill(1), weights: new Uint8Array(32).fill(2) };
export const seeds = [0, 1, 2, 20].map((count) =>
  encodeBlockGroups(Array.from({ length: count }, () => group)),
);

/** A file of block hashes that is accepted is encoded to the same bytes. */
export function fuzz(input: Uint8Array): void {
  let groups: BlockGroup[];
  try {
    groups = parseBlockGroups(input);
  } catch (error) {
    if (error instanceof DecodeError) return;
    throw error;
  }
  if (!bytesEqual(encodeBlockGroups(groups), input)) throw new Error('the file differs');
}
