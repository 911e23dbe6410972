import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { describeSystemError } from '../system-error.ts';
import { damaged, MonerodDatabaseError } from './monerod-database-error.ts';

/** The bytes of a file. */
export interface FileBytes {
  readonly size: number;
  /** Returns bytes between 0 and `size`. Throws MonerodDatabaseError when they cannot be read. */
  read(position: number, length: number): Buffer;
  close(): void;
}

/** Opens a file for reading only. Throws MonerodDatabaseError `io` when it cannot be opened. */
export function openFileBytes(path: string): FileBytes {
  const descriptor = attempt(path, () => openSync(path, 'r'));
  const { size } = attempt(path, () => fstatSync(descriptor));
  return {
    size,
    read(position, length) {
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let done = 0; done < length;) {
        const rest = length - done;
        const read = () => readSync(descriptor, bytes, done, rest, position + done);
        const count = attempt(path, read);
        if (count === 0) throw damaged(`it ends at byte ${position + done}`);
        done += count;
      }
      return bytes;
    },
    close: () => closeSync(descriptor),
  };
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new MonerodDatabaseError('io', describeSystemError(error, path), { cause: error });
  }
}
