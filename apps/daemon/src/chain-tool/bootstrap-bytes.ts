import type { FileHandle } from 'node:fs/promises';
import { ImportError } from './import-source.ts';

/** A bootstrap file is damaged, or has another format. */
export class BootstrapFileError extends ImportError {
  override readonly name = 'BootstrapFileError';
}

/**
 * Returns bytes of a bootstrap file, in the given memory, or in memory of their own. Throws BootstrapFileError when it ends before, and the error of the system.
 */
export async function readAt(
  file: FileHandle,
  position: number,
  length: number,
  buffer: Buffer = Buffer.allocUnsafeSlow(length),
): Promise<Buffer> {
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) throw new BootstrapFileError(`ends at byte ${position + done}`);
    done += bytesRead;
  }
  return buffer;
}
