import { open, type FileHandle } from 'node:fs/promises';
import { Yielder } from '@monero-node/base';
import type { OfferedIds } from '@monero-node/blockchain';
import {
  BOOTSTRAP_HEADER_BYTES,
  decodeBootstrapBlock,
  decodeBootstrapHeader,
  decodeBootstrapPackage,
  DecodeError,
  MAX_BOOTSTRAP_PACKAGE,
  type BootstrapHeader,
  type Formats,
  type ParsedBootstrapPackage,
  type TransactionOutliner,
} from '@monero-node/codec';
import { BootstrapFileError, BytesWindow, readAt } from './bootstrap-bytes.ts';
import { GROUP_BYTES } from './groups-ahead.ts';
import type { ImportSource } from './import-source.ts';
import { packagesAhead, type PackagesAhead } from './packages-ahead.ts';

/** Reads a bootstrap file (`blockchain.raw`) from its first block to its last. */
export class BootstrapReader implements ImportSource {
  readonly name = 'the file';
  readonly pruningSeed = 0;
  readonly header: BootstrapHeader;
  readonly #file: FileHandle;
  readonly #window: BytesWindow;
  readonly #size: number;
  readonly #formats: Formats | undefined;
  #offset = BOOTSTRAP_HEADER_BYTES;
  #height: number;
  #ahead: PackagesAhead | undefined;

  private constructor(
    { file, size, header }: { file: FileHandle; size: number; header: BootstrapHeader },
    formats: Formats | undefined,
  ) {
    this.#file = file;
    this.#window = new BytesWindow(file);
    this.#size = size;
    this.#formats = formats;
    this.header = header;
    this.#height = header.firstBlock;
  }

  /**
   * Opens a file. Throws BootstrapFileError when it has another format, and the error of the system when it cannot
   * be opened.
   *
   * @param formats of the network whose blocks the file has; the newest by default
   */
  static async open(path: string, formats?: Formats): Promise<BootstrapReader> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const start = await readAt(file, 0, Math.min(size, BOOTSTRAP_HEADER_BYTES));
      return new BootstrapReader({ file, size, header: decodeBootstrapHeader(start) }, formats);
    } catch (error) {
      await file.close();
      throw new BootstrapFileError(`${path}: ${(error as Error).message}`);
    }
  }

  get firstBlock(): number {
    return this.header.firstBlock;
  }

  /**
   * As the header says. Above that, as many blocks as the bytes read so far let expect: monerod
   * leaves its header as it is when it goes on with a file.
   */
  get height(): number {
    const { firstBlock, lastBlock } = this.header;
    if (this.#height <= lastBlock) return lastBlock + 1;
    const read = this.#offset - BOOTSTRAP_HEADER_BYTES;
    if (read === 0) return firstBlock;
    const all = this.#size - BOOTSTRAP_HEADER_BYTES;
    return firstBlock + Math.round(((this.#height - firstBlock) * all) / read);
  }

  /** Share of the file that has been read, 0 to 1. */
  get progress(): number {
    return this.#offset / this.#size;
  }

  /** Position of the next block, in bytes. */
  get offset(): number {
    return this.#offset;
  }

  /** Skips a block like {@link skip}, but treats an incomplete last block as the end of the file. */
  async skipWhole(): Promise<boolean> {
    try {
      return await this.skip();
    } catch (error) {
      if (error instanceof BootstrapFileError) return false;
      throw error;
    }
  }

  /** Skips a block; returns false at the end of the file. */
  async skip(): Promise<boolean> {
    const size = await this.#packageSize();
    if (size === undefined) return false;
    this.#offset += 4 + size;
    this.#height++;
    return true;
  }

  /** Skips the blocks below a height; returns false when the file ends before. */
  async skipTo(height: number): Promise<boolean> {
    while (this.#height < height) if (!(await this.skip())) return false;
    return true;
  }

  /** Returns the ids of the next blocks, without weights: `count`, or fewer when the file ends or is damaged before. */
  async offer(count: number): Promise<OfferedIds> {
    const [offset, start] = [this.#offset, this.#height];
    const ids: Uint8Array[] = [];
    const yielder = new Yielder();
    try {
      // These are the blocks that will be read next.
      await this.#ahead?.take(offset);
      while (ids.length < count) {
        const id = await this.#nextId();
        if (id === undefined) break;
        ids.push(id);
        await yielder.yieldIfDue();
      }
    } finally {
      this.#offset = offset;
      this.#height = start;
    }
    return { start, ids, weights: [] };
  }

  /**
   * Reads the next block; returns undefined at the end of the file.
   *
   * Throws BootstrapFileError when the file is truncated or damaged.
   */
  async next(): Promise<ParsedBootstrapPackage | undefined> {
    const ahead = await this.#ahead?.take(this.#offset);
    const bytes = ahead?.item ?? (await this.#package());
    if (bytes === undefined) return undefined;
    try {
      const { majorVersion } = this.header;
      const content = decodeBootstrapPackage(bytes, majorVersion, ahead?.outlined, this.#formats);
      this.#offset += 4 + bytes.length;
      this.#height++;
      return content;
    } catch (error) {
      throw this.#damaged((error as Error).message);
    }
  }

  /** The file is not locked: what is written to its end meanwhile is read. */
  check(): void {
    return undefined;
  }

  readAhead(outliner: TransactionOutliner, groupBytes = GROUP_BYTES): void {
    this.#ahead = packagesAhead(this.#file, this.#size, { outliner, groupBytes });
  }

  async close(): Promise<void> {
    await this.#ahead?.close();
    await this.#file.close();
  }

  async #package(): Promise<Uint8Array | undefined> {
    const size = await this.#packageSize();
    return size === undefined ? undefined : readAt(this.#file, this.#offset + 4, size);
  }

  /** Skips a block; returns its id, or undefined at the end of the file or at damage. */
  async #nextId(): Promise<Uint8Array | undefined> {
    try {
      const ahead = await this.#ahead?.held(this.#offset);
      if (ahead !== undefined) {
        const { id } = decodeBootstrapBlock(ahead.item, this.#formats, ahead.outlined);
        this.#offset += 4 + ahead.item.length;
        this.#height++;
        return id;
      }
      const start = this.#offset + 4;
      return (await this.skip()) ? await this.#idAt(start, this.#offset - start) : undefined;
    } catch (error) {
      if (error instanceof BootstrapFileError || error instanceof DecodeError) return undefined;
      throw error;
    }
  }

  /** Returns the id of the block in a package. It is at the beginning, so that most of a large package need not be read. */
  async #idAt(start: number, size: number): Promise<Uint8Array> {
    const head = await this.#window.read(start, size);
    try {
      return decodeBootstrapBlock(head, this.#formats).id;
    } catch (error) {
      if (!(error instanceof DecodeError) || head.length === size) throw error;
      return decodeBootstrapBlock(await readAt(this.#file, start, size), this.#formats).id;
    }
  }

  async #packageSize(): Promise<number | undefined> {
    const left = this.#size - this.#offset;
    if (left === 0) return undefined;
    if (left < 4) throw this.#damaged('it ends within a size');
    const size = (await this.#window.read(this.#offset, 4)).readUInt32LE();
    if (size === 0 || size > MAX_BOOTSTRAP_PACKAGE) throw this.#damaged(`block of ${size} bytes`);
    if (size > left - 4) throw this.#damaged('it ends within a block');
    return size;
  }

  #damaged(what: string): BootstrapFileError {
    return new BootstrapFileError(`damaged at byte ${this.#offset}: ${what}`);
  }
}
