import { Yielder } from '@monero-node/base';
import { checkOf, type CryptoCheck, itemsOf } from '../checks.ts';
import {
  type CheckPacker,
  type PackableCheck,
  type PackedCheck,
  unpackItems,
} from './check-bytes.ts';

/** A check as objects or as bytes. */
export type AnyCheck = CryptoCheck | PackedCheck;

/** Returns whether the items of a check are bytes. */
export function isPacked(check: AnyCheck | PackableCheck): check is PackedCheck {
  return 'ends' in check;
}

/** Returns the number of items of a check: points, key images, statements or proofs. */
export function countItems(check: AnyCheck): number {
  return isPacked(check) ? check.ends.length : itemsOf(check).length;
}

/** Returns a check of the items from `from` up to, but not including, `to`. */
export function sliceCheck(check: AnyCheck, from: number, to: number): AnyCheck {
  if (from <= 0 && to >= countItems(check)) return check;
  if (!isPacked(check)) return checkOf(check.kind, itemsOf(check).slice(from, to));
  const { kind, ends } = check;
  const start = ends[from - 1] ?? 0;
  const kept = ends.slice(from, to);
  const bytes = check.bytes.subarray(start, kept.at(-1) ?? start);
  return { kind, bytes, ends: kept.map((end) => end - start) };
}

/** Returns a check with its items as bytes. */
export function packed(check: PackedCheck | PackableCheck, packer: CheckPacker): PackedCheck {
  return isPacked(check) ? check : packer.pack(check);
}

/** Returns a check with its items as objects, views of the bytes of a packed one. */
export function unpacked(check: AnyCheck): CryptoCheck {
  return isPacked(check) ? unpackItems(check.kind, check.bytes) : check;
}

/**
 * Resolves with one check of the items of all parts, which are of this kind. The parts of a batch of blocks have up to a
 * hundred megabytes, so they are copied in slices.
 */
export async function joinPacked(
  kind: CryptoCheck['kind'],
  parts: readonly PackedCheck[],
): Promise<PackedCheck> {
  const yielder = new Yielder();
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes.length, 0));
  const ends: number[] = [];
  let start = 0;
  for (const part of parts) {
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    bytes.set(part.bytes, start);
    for (const end of part.ends) ends.push(start + end);
    start += part.bytes.length;
  }
  return { kind, bytes, ends };
}
