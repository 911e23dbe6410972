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
  const done = await fill(file, position, length, buffer);
  if (done < length) throw new BootstrapFileError(`ends at byte ${position + done}`);
  return buffer;
}

/** Reads bytes of a file. Resolves with how many there are, up to `length`. */
async function fill(
  file: FileHandle,
  position: number,
  length: number,
  buffer: Buffer,
): Promise<number> {
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

/** Bytes that are read at once where few are asked for: many small packages, or a block without its transactions. */
const WINDOW_BYTES = 32 * 1024;

/** Reads small parts of a bootstrap file in their order, many with one call of the system. */
export class BytesWindow {
  readonly #file: FileHandle;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Returns a view of bytes of the file. Throws BootstrapFileError when the file ends before, and
   * the error of the system.
   *
   * @param length at most {@link WINDOW_BYTES} are returned
   */
  async read(position: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, WINDOW_BYTES);
    if (position < this.#start || position + wanted > this.#start + this.#bytes.length)
      await this.#moveTo(position);
    const at = position - this.#start;
    if (at + wanted > this.#bytes.length)
      throw new BootstrapFileError(`ends at byte ${this.#start + this.#bytes.length}`);
    return this.#bytes.subarray(at, at + wanted);
  }

  async #moveTo(position: number): Promise<void> {
    const buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES);
    const done = await fill(this.#file, position, buffer.length, buffer);
    this.#bytes = buffer.subarray(0, done);
    this.#start = position;
  }
}
