import { fstatSync, open, openSync } from 'node:fs';
import { promisify } from 'node:util';
import sonicBoom from 'sonic-boom';
import type { SonicBoom } from 'sonic-boom';

const openAsync = promisify(open);

const FLAGS = 'a';
const MODE = 0o640;
/** Bytes that may wait for the disk. Lines beyond them are lost, because a dead disk must not fill the memory. */
const MAX_WAITING = 8 * 2 ** 20;

/** Reports on the lines. */
export interface AppendEvents {
  /** Bytes have been written. */
  readonly written: () => void;
  /** A write failed. The next one begins with the same bytes. */
  readonly failed: (error: Error) => void;
  /** A line was lost, because too many bytes wait for the disk. */
  readonly lost: () => void;
}

/**
 * A file to which lines are appended by another thread, so that a slow disk does not hold the event loop; the only owner
 * of its descriptor.
 *
 * The descriptor is closed once, when no write to it is under way: the next file or socket gets the same number.
 */
export class AppendFile {
  readonly #boom: SonicBoom;
  readonly #descriptor: number;
  #size: number;
  #closed: Promise<void> | undefined;

  /** @param descriptor open for appending; this object closes it */
  private constructor(descriptor: number, events: AppendEvents) {
    this.#descriptor = descriptor;
    this.#size = fstatSync(descriptor).size;
    this.#boom = new sonicBoom.SonicBoom({ fd: descriptor, maxLength: MAX_WAITING });
    this.#boom.on('write', events.written);
    this.#boom.on('drop', events.lost);
    this.#boom.on('error', (error: Error) => {
      events.failed(error);
      // Closing waits for the last write. It has failed, and no other is under way.
      if (this.#closed !== undefined) this.#boom.destroy();
    });
  }

  /** Throws the error of the system when the file cannot be opened for appending. */
  static openSync(path: string, events: AppendEvents): AppendFile {
    return new AppendFile(openSync(path, FLAGS, MODE), events);
  }

  /** Rejects with the error of the system when the file cannot be opened for appending. */
  static async open(path: string, events: AppendEvents): Promise<AppendFile> {
    return new AppendFile(await openAsync(path, FLAGS, MODE), events);
  }

  /** Bytes in the file, with those that wait to be written. */
  get size(): number {
    return this.#size;
  }

  /** Number of the descriptor. */
  get descriptor(): number {
    return this.#descriptor;
  }

  /** Appends the text; does nothing after `close`. */
  write(text: string): void {
    if (this.#closed !== undefined) return;
    this.#size += Buffer.byteLength(text);
    this.#boom.write(text);
  }

  /** Resolves when all that waits has been written, or could not be. Never rejects. */
  async flush(): Promise<void> {
    if (this.#closed !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#boom.flush(() => resolve());
    });
  }

  /** Writes all that waits before it returns, for the end of the process. Errors are ignored: there is nobody to report to. */
  flushSync(): void {
    if (this.#closed !== undefined) return;
    try {
      this.#boom.flushSync();
    } catch {
      // The process ends.
    }
  }

  /** Writes all that waits and closes the file. Never rejects. */
  async close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#boom.once('close', resolve);
      this.#boom.end();
    });
    await this.#closed;
  }
}
