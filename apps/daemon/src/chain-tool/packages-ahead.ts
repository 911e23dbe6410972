import type { FileHandle } from 'node:fs/promises';
import {
  MAX_BOOTSTRAP_PACKAGE,
  type OutlinedPackage,
  type TransactionOutliner,
} from '@monero-node/codec';
import { readAt } from './bootstrap-bytes.ts';

/** Bytes that are read at once, as many as a batch of blocks has. */
export const GROUP_BYTES = 8 * 1024 * 1024;

/** A package of a bootstrap file, and what a thread has found about its transactions. */
interface PackageAhead {
  readonly bytes: Uint8Array;
  readonly outlined: OutlinedPackage | undefined;
}

/** Consecutive packages of a file. */
interface Group {
  /** Where they begin and end in the file. */
  readonly start: number;
  readonly end: number;
  /** Position in `packages`, by the offset in the file. */
  readonly positions: ReadonlyMap<number, number>;
  readonly packages: readonly Uint8Array[];
  readonly outlined: Promise<readonly OutlinedPackage[] | undefined>;
}

/** Packages of a bootstrap file that are read, and outlined by a thread, before it is their turn. */
export class PackagesAhead {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #outliner: TransactionOutliner;
  readonly #groupBytes: number;
  #current: Group | undefined;
  #following: Promise<Group | undefined> | undefined;

  /**
   * @param size bytes of the file
   * @param groupBytes bytes that are read at once
   */
  constructor(
    file: FileHandle,
    size: number,
    { outliner, groupBytes }: { outliner: TransactionOutliner; groupBytes: number },
  ) {
    this.#file = file;
    this.#size = size;
    this.#outliner = outliner;
    this.#groupBytes = groupBytes;
  }

  /**
   * Returns the package behind the size at an offset of the file; undefined when it cannot be read ahead: it is very large, or
   * the file is damaged or ends there.
   */
  async take(offset: number): Promise<PackageAhead | undefined> {
    if (this.#current?.positions.has(offset) !== true) await this.#goTo(offset);
    const group = this.#current;
    const position = group?.positions.get(offset);
    const bytes = position === undefined ? undefined : group?.packages[position];
    if (group === undefined || position === undefined || bytes === undefined) return undefined;
    return { bytes, outlined: (await group.outlined)?.[position] };
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    await this.#following;
  }

  async #goTo(offset: number): Promise<void> {
    const following = await this.#following;
    this.#current = following?.start === offset ? following : await this.#read(offset);
    const end = this.#current?.end ?? offset;
    this.#following = end > offset ? this.#read(end) : undefined;
  }

  /** Reads the packages from an offset on. Errors of the disk are left to whoever reads the same bytes again. */
  async #read(start: number): Promise<Group | undefined> {
    try {
      const length = Math.min(this.#groupBytes, this.#size - start);
      if (length <= 4) return undefined;
      return this.#split(start, await readAt(this.#file, start, length));
    } catch {
      return undefined;
    }
  }

  #split(start: number, bytes: Buffer): Group {
    const positions = new Map<number, number>();
    const packages: Uint8Array[] = [];
    let at = 0;
    while (at + 4 <= bytes.length) {
      const size = bytes.readUInt32LE(at);
      if (size === 0 || size > MAX_BOOTSTRAP_PACKAGE || size > bytes.length - at - 4) break;
      positions.set(start + at, packages.length);
      packages.push(bytes.subarray(at + 4, at + 4 + size));
      at += 4 + size;
    }
    // Without an answer of the thread the transactions are parsed.
    const outlined = this.#outliner.outlinePackages(packages).catch(() => undefined);
    return { start, end: start + at, positions, packages, outlined };
  }
}
