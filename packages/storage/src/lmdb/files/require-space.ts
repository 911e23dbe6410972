import { groupedDigits } from '@monero-node/base';
import { StorageError } from '../../storage-error.ts';
import { freeBytes } from '../../system-error.ts';

/**
 * Throws StorageError `io` unless the disk of a folder has space.
 * @param bytes that are needed
 * @param what is to be written, for the message
 */
export function requireSpace(folder: string, bytes: number, what: string): void {
  const free = freeBytes(folder) ?? Infinity;
  if (free >= bytes) return;
  throw new StorageError(
    'io',
    `${what} needs ${mebibytes(Math.ceil, bytes)} MiB, and the disk that holds ${folder} has ${mebibytes(Math.floor, free)} MiB free`,
    { systemCode: 'ENOSPC' },
  );
}

function mebibytes(round: (number: number) => number, bytes: number): string {
  return groupedDigits(round(bytes / 2 ** 20));
}
