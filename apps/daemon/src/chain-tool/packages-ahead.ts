import type { FileHandle } from 'node:fs/promises';
import { MAX_BOOTSTRAP_PACKAGE, type TransactionOutliner } from '@monero-node/codec';
import { readAt } from './bootstrap-bytes.ts';
import { GroupsAhead, type Group } from './groups-ahead.ts';

/**
 * Groups that are read ahead: 48 MiB. That is enough for the 512 blocks whose ids are compared with the trusted list at once, up to an average
 * block of 96 KiB; those beyond are read a second time.
 */
const DEPTH = 6;

/** The bytes of the packages of a bootstrap file, by the offset of the size before each. */
export type PackagesAhead = GroupsAhead<Uint8Array>;

/**
 * Reads the packages of a bootstrap file ahead. Very large ones are not among them.
 *
 * @param size bytes of the file
 * @param groupBytes bytes that are read at once
 */
export function packagesAhead(
  file: FileHandle,
  size: number,
  { outliner, groupBytes }: { outliner: TransactionOutliner; groupBytes: number },
): PackagesAhead {
  return new GroupsAhead({
    read: async (start) => {
      const length = Math.max(0, Math.min(groupBytes, size - start));
      // The outlining thread reads the same memory. Nothing is ever written to it again.
      const memory = Buffer.from(new SharedArrayBuffer(length));
      return split(start, await readAt(file, start, length, memory).catch(() => Buffer.alloc(0)));
    },
    outline: (packages) => outliner.outlinePackages(packages),
    depth: DEPTH,
  });
}

/** Splits bytes of the file that begin at an offset, up to the first package that is damaged or not whole. */
function split(start: number, bytes: Buffer): Group<Uint8Array> {
  const items = new Map<number, Uint8Array>();
  let at = 0;
  while (at + 4 <= bytes.length) {
    const size = bytes.readUInt32LE(at);
    if (size === 0 || size > MAX_BOOTSTRAP_PACKAGE || size > bytes.length - at - 4) break;
    items.set(start + at, bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return { items, end: start + at };
}
