import { randomUUID } from 'node:crypto';
import { monotonicMilliseconds, Periodic, type Logger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { CopyableStore, StoreImage } from '@monero-node/storage';
import { CopyProgress } from './copy-progress.ts';
import { PART_SIZE, type SeedManifest } from './manifest.ts';

/** Limits of one image. The file of the store grows by what is written while it is open. */
export interface ImageLimits {
  /** Milliseconds without a request. */
  readonly idleMs: number;
  /** Milliseconds in all. */
  readonly ageMs: number;
  /** Bytes by which the file of the store may grow. */
  readonly growth: number;
}

const IMAGE_LIMITS: ImageLimits = {
  idleMs: 120_000,
  ageMs: 86_400_000,
  growth: 4 * 2 ** 30,
};

/** Parts that are read at a time; each takes `PART_SIZE` bytes of memory until it is sent. */
const MAX_PARTS_AT_ONCE = 4;
/** Milliseconds between two looks at the limits. */
const INTERVAL = 5000;

export interface ImageDeskDependencies {
  readonly store: Pick<CopyableStore, 'openImage' | 'sizeOnDisk'>;
  /** Name of the network. */
  readonly network: string;
  readonly logger: Logger;
  readonly limits?: ImageLimits;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

interface OpenImage {
  readonly id: string;
  readonly image: StoreImage;
  readonly openedAt: number;
  /** Bytes of the store's file when it was opened. */
  readonly sizeOnDisk: number;
  /** Parts that are being read. */
  reading: number;
  /** Says why the image is to be closed, with the last part that is being read. */
  ending?: string;
}

/** Keeps at most one image of the chain open, which all receivers share, and closes it when it is too old or nobody reads it. */
export class ImageDesk {
  /** How far the receivers are, the one that is ahead of the others. */
  readonly progress = new CopyProgress();
  readonly #deps: Required<ImageDeskDependencies>;
  readonly #watch = new Periodic(INTERVAL, () => this.look());
  #open: Promise<OpenImage> | undefined;
  #current: OpenImage | undefined;
  #usedAt = 0;

  constructor(dependencies: ImageDeskDependencies) {
    this.#deps = { limits: IMAGE_LIMITS, now: monotonicMilliseconds, ...dependencies };
  }

  start(): void {
    this.#watch.start();
  }

  /** Closes the image. No read may be under way, and none may follow. */
  async stop(): Promise<void> {
    this.#watch.stop();
    await this.#open?.catch(() => undefined);
    await this.#end('the node stops');
  }

  /** Resolves with the manifest of the image that is open, or of a new one. Rejects with StorageError. */
  async manifest(): Promise<SeedManifest> {
    const { id, image } = await this.#opened();
    this.#usedAt = this.#deps.now();
    return {
      network: this.#deps.network,
      height: image.height,
      topId: toHex(image.topId ?? new Uint8Array(32)),
      size: image.size,
      file: `${id}/data.mdb`,
    };
  }

  /** Returns the bytes of the file of an image; undefined when it is not, or no longer, open. */
  sizeOf(id: string): number | undefined {
    return this.#current?.id === id ? this.#current.image.size : undefined;
  }

  /**
   * Resolves with bytes of the image that is open; with undefined when too many are being read. Rejects with StorageError.
   * @param length at most `PART_SIZE`; the range lies in the file
   */
  async read(at: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const current = this.#current;
    if (current === undefined || current.reading >= MAX_PARTS_AT_ONCE) return undefined;
    current.reading += 1;
    try {
      const bytes = new Uint8Array(Math.min(length, PART_SIZE));
      await current.image.read(bytes, at);
      return bytes;
    } finally {
      current.reading -= 1;
      this.#usedAt = this.#deps.now();
      if (current.ending !== undefined && current.reading === 0) {
        await this.#close(current, current.ending);
      }
    }
  }

  /** Ends the image if it has reached a limit: nothing more is read of it, and it is closed when the parts being read have been. */
  async look(): Promise<void> {
    const { limits, now, store } = this.#deps;
    if (this.#current === undefined) return;
    const { openedAt, sizeOnDisk, reading } = this.#current;
    if (reading === 0 && now() - this.#usedAt > limits.idleMs)
      return this.#end('no receiver asks for it');
    if (now() - openedAt > limits.ageMs) return this.#end('it is too old');
    if (store.sizeOnDisk - sizeOnDisk > limits.growth)
      return this.#end('the file of the chain has grown by as much as it may meanwhile');
  }

  #opened(): Promise<OpenImage> {
    this.#open ??= this.#make().catch((error: unknown) => {
      this.#open = undefined;
      throw error;
    });
    return this.#open;
  }

  async #make(): Promise<OpenImage> {
    const { store, logger, now } = this.#deps;
    const image = await store.openImage();
    const { sizeOnDisk } = store;
    this.#current = { id: `image-${randomUUID()}`, image, openedAt: now(), sizeOnDisk, reading: 0 };
    this.#usedAt = now();
    this.progress.begin(image.size);
    logger.info(`a new node copies the chain of ${image.height} blocks (--seed-bind-port)`);
    return this.#current;
  }

  async #end(why: string): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    this.#open = undefined;
    if (current === undefined) return;
    this.progress.end();
    if (current.reading > 0) current.ending = why;
    else await this.#close(current, why);
  }

  async #close({ image }: OpenImage, why: string): Promise<void> {
    await image.close();
    this.#deps.logger.info(
      `the chain is no longer kept for new nodes as of block ${image.height - 1}: ${why}`,
    );
  }
}
