import { absoluteOffsets, type ParsedTransaction } from '@monero-node/codec';
import type { ForkRules } from '@monero-node/consensus';
import type { Lookups } from '@monero-node/storage';

/** Most key images and ring members that are read ahead for the transactions of one call. */
const MOST = 10_000;
/** Ring members that are read ahead at most where the rules set no size. */
const LARGEST_RING = 200;
/** Indices above it are those of no output. */
export const GREATEST_INDEX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns what the checks of transactions look up in the store, up to 10,000 key images and ring members. Strangers choose
 * what is read, so rings of another size than the rules demand are left out.
 *
 * @param rules by which rings are checked; absent when they are not looked up
 */
export function lookupsOf(txs: readonly ParsedTransaction[], rules?: ForkRules): Lookups {
  const keyImages: Uint8Array[] = [];
  const outputs = new Map<bigint, number[]>();
  const lookups = { txIds: txs.map(({ id }) => id), keyImages, outputs };
  let left = MOST;
  if (rules === undefined) {
    for (const { parts } of txs) {
      for (let i = 0; i < parts.keyImageCount && left > 0; i++, left--)
        keyImages.push(parts.keyImage(i));
    }
    return lookups;
  }
  for (const { tx } of txs) {
    for (const input of tx.inputs) {
      if (input.kind !== 'key') continue;
      const { amount, keyImage, keyOffsets } = input;
      const size = ringSizeToRead(rules, keyOffsets.length);
      left -= 1 + size;
      if (left < 0) return lookups;
      keyImages.push(keyImage);
      if (size === 0) continue;
      const indices = outputs.get(amount) ?? [];
      outputs.set(amount, indices);
      for (const index of absoluteOffsets(keyOffsets))
        if (index <= GREATEST_INDEX) indices.push(Number(index));
    }
  }
  return lookups;
}

/** Returns about how many rows `lookupsOf` names, without computing indices and making objects. */
export function countLookups(txs: readonly ParsedTransaction[], rules?: ForkRules): number {
  const most = txs.length + MOST;
  let count = txs.length;
  for (const { parts } of txs) {
    // The rest of a block of thousands of transactions does not matter.
    if (count >= most) return most;
    count += parts.keyImageCount;
    if (rules === undefined) continue;
    for (let i = 0; i < parts.keyImageCount; i++) count += ringSizeToRead(rules, parts.ringSize(i));
  }
  return Math.min(count, most);
}

/** Returns the size of a ring that is worth reading; 0 for one that the rules refuse unseen, or that is very large. */
function ringSizeToRead({ exactDecoys }: ForkRules, size: number): number {
  const isExpected = exactDecoys === undefined || exactDecoys.includes(size - 1);
  return isExpected && size <= LARGEST_RING ? size : 0;
}
