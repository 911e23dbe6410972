import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/**
 * A file to which lines are appended; the only owner of its descriptor.
 *
 * A descriptor that has been closed is forgotten at once. The next file or socket gets the same number,
 * and neither `write` nor `close` may ever touch that.
 */
export class AppendFile {
  #descriptor: number | undefined;
  #size: number;

  /** Throws the error of the system when the file cannot be opened for appending. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'a', 0o640);
    this.#size = fstatSync(this.#descriptor).size;
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#size;
  }

  /** Appends the text; does nothing after `close`. Throws the error of the system, for example on a full disk. */
  write(text: string): void {
    if (this.#descriptor === undefined) return;
    let rest: Uint8Array = Buffer.from(text);
    // The system may take a part of the bytes, for example the part that still fits on the disk.
    while (rest.length > 0) {
      const written = writeSync(this.#descriptor, rest);
      this.#size += written;
      rest = rest.subarray(written);
    }
  }

  /** Closes the file; further calls do nothing. */
  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor === undefined) return;
    try {
      closeSync(descriptor);
    } catch {
      // The descriptor is released all the same (close(2)): trying again might close another file.
    }
  }
}
