import type { Yielder } from '@monero-node/base';
import { createHash } from 'node:crypto';
import { toHex } from '@monero-node/codec';

/** A block of another chain to merge-mine; 32 bytes each. */
export interface AuxiliaryBlock {
  /** The id of its chain. */
  readonly id: Uint8Array;
  /** The hash that the proof of work commits to. */
  readonly hash: Uint8Array;
}

/** HASH_KEY_MM_SLOT in src/cryptonote_config.h. */
const SLOT_KEY = 'm'.charCodeAt(0);

/** Returns the index of a chain's hash in the tree. Source: get_aux_slot in src/cryptonote_basic/merge_mining.cpp. */
function auxiliarySlot(id: Uint8Array, nonce: number, count: number): number {
  const input = Buffer.alloc(37, SLOT_KEY);
  input.set(id);
  input.writeUInt32LE(nonce, 32);
  return createHash('sha256').update(input).digest().readUInt32LE() % count;
}

/**
 * Finds the nonce with which every chain has its own slot. Returns it with the blocks in the order of their slots;
 * undefined when no nonce up to `maxNonce` serves.
 */
export async function arrangeAuxiliary(
  blocks: readonly AuxiliaryBlock[],
  maxNonce: number,
  yielder: Yielder,
): Promise<{ nonce: number; ordered: AuxiliaryBlock[] } | undefined> {
  // Two blocks of one chain always collide.
  if (new Set(blocks.map(({ id }) => toHex(id))).size < blocks.length) return undefined;
  for (let nonce = 0; nonce <= maxNonce; nonce++) {
    const slots = new Map<number, AuxiliaryBlock>();
    for (const block of blocks) {
      const slot = auxiliarySlot(block.id, nonce, blocks.length);
      if (slots.has(slot)) break;
      slots.set(slot, block);
    }
    if (slots.size === blocks.length) {
      const ordered = [...slots].sort(([a], [b]) => a - b).map(([, block]) => block);
      return { nonce, ordered };
    }
    await yielder.yieldIfDue();
  }
  return undefined;
}

/**
 * Returns the depth field of a merge-mining tag: bits 0 to 2 hold the bits of the count less one, followed by the count
 * less one and the nonce. Source: encode_mm_depth in src/cryptonote_basic/merge_mining.cpp.
 */
export function encodeDepth(count: number, nonce: number): bigint {
  let bits = 1;
  while (2 ** bits < count) bits++;
  return BigInt(bits - 1) | (BigInt(count - 1) << 3n) | (BigInt(nonce) << BigInt(3 + bits));
}
