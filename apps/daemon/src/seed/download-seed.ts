import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { monotonicMilliseconds } from '@monero-node/base';
import { namingFile, requireSpace } from '@monero-node/storage';
import { DATA_FILE } from '@monero-node/storage/system';
import { partAt, partCount, type SeedManifest } from './manifest.ts';
import { sha256 } from './proof.ts';
import { SeedError, SeedGoneError, SeedRefusedError } from './seed-error.ts';
import type { SeedSource } from './seed-source.ts';

/** Bytes after which they are flushed, so that the progress shown is that of the disk. */
const FLUSH_EVERY = 2 ** 28;
/** Milliseconds in which some new part must arrive although the source makes new images. */
const PATIENCE = 3_600_000;

export interface DownloadOptions {
  readonly source: Pick<SeedSource, 'manifest' | 'part'>;
  /** Name of the network. */
  readonly network: string;
  readonly signal: AbortSignal;
  /** Called with bytes; `received` of them came for the last part, 0 when it was there. */
  readonly onProgress: (done: number, total: number, received: number) => void;
  readonly patience?: number;
}

/**
 * Copies the data file of a source into a folder and flushes it. What an earlier attempt has left there is compared part by
 * part, and only what differs is sent. Resolves with the manifest.
 *
 * Rejects with SeedError; with SeedRefusedError when the source lies; with the error of the system; and with the reason of the
 * signal. The file stays.
 */
export async function downloadSeed(
  folder: string,
  options: DownloadOptions,
): Promise<SeedManifest> {
  const path = join(folder, DATA_FILE);
  const { signal, patience = PATIENCE } = options;
  let arrivedAt = monotonicMilliseconds();
  const onPart = (): void => void (arrivedAt = monotonicMilliseconds());
  for (;;) {
    const manifest = await options.source.manifest();
    checkNetwork(manifest, options.network);
    try {
      await namingFile(path, () => copyParts(path, manifest, { ...options, onPart }));
      return manifest;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SeedGoneError)) throw error;
      if (monotonicMilliseconds() - arrivedAt > patience) throw new SeedError(error.message);
    }
  }
}

function checkNetwork({ network }: SeedManifest, wanted: string): void {
  if (network === wanted) return;
  throw new SeedRefusedError(`the source has a chain of ${network}, and this node is of ${wanted}`);
}

async function copyParts(
  path: string,
  manifest: SeedManifest,
  options: DownloadOptions & { readonly onPart: () => void },
): Promise<void> {
  // Not a flag that truncates: an earlier attempt may have left parts.
  const file = await open(path, 'a').then(async (made) => {
    await made.close();
    return open(path, 'r+');
  });
  try {
    const { size: kept } = await file.stat();
    requireSpace(dirname(path), manifest.size - kept, 'the rest of the chain');
    const count = partCount(manifest);
    const get = (index: number): Promise<Uint8Array | undefined> => {
      const got = missing(file, kept, { manifest, index, options });
      // The copy may end before it is waited for.
      got.catch(() => undefined);
      return got;
    };
    let next = get(0);
    for (let index = 0, flushed = 0; index < count; index += 1) {
      const bytes = await next;
      options.signal.throwIfAborted();
      if (index + 1 < count) next = get(index + 1);
      const { at, length } = partAt(manifest, index);
      if (bytes !== undefined) {
        await writeAll(file, bytes, at);
        options.onPart();
      }
      if (at + length - flushed >= FLUSH_EVERY) {
        await file.datasync();
        flushed = at + length;
      }
      options.onProgress(at + length, manifest.size, bytes?.length ?? 0);
    }
    await file.truncate(manifest.size);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Resolves with the bytes of a part; with undefined when the file has them. */
async function missing(
  file: FileHandle,
  kept: number,
  {
    manifest,
    index,
    options,
  }: {
    readonly manifest: SeedManifest;
    readonly index: number;
    readonly options: DownloadOptions;
  },
): Promise<Uint8Array | undefined> {
  const part = partAt(manifest, index);
  let known: string | undefined;
  if (part.at + part.length <= kept) {
    const own = new Uint8Array(part.length);
    const { bytesRead } = await file.read(own, 0, part.length, part.at);
    if (bytesRead === part.length) known = await sha256(own);
  }
  return options.source.part(manifest, part, known);
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const rest = bytes.length - done;
    const { bytesWritten } = await file.write(bytes, done, rest, position + done);
    done += bytesWritten;
  }
}
