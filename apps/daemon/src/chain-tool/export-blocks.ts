import { open, type FileHandle } from 'node:fs/promises';
import { encodeBootstrapHeader, encodeBootstrapPackage } from '@monero-node/codec';
import type { Blockchain } from '@monero-node/blockchain';
import { namingFile } from '@monero-node/storage';
import { BootstrapFileError } from './bootstrap-bytes.ts';
import { BootstrapReader } from './bootstrap-reader.ts';

export interface ExportOptions {
  /** Height of the first block in a new file. */
  readonly blockStart: number;
  /** Height of the last block; by default the newest. */
  readonly blockStop?: number | undefined;
  /** Most bytes of a block with its transactions that monero-blockchain-import is to read; by default any number. */
  readonly maxBlockBytes?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly height: number; readonly last: number }) => void;
}

/** Of the files that this program writes. */
const VERSION = 1;
const PROGRESS_EVERY = 100;

/**
 * Writes blocks to a bootstrap file for monero-blockchain-import. An existing file is continued after its last
 * complete block. Returns the number of blocks written.
 *
 * Throws BootstrapFileError when the existing file is damaged or has another format, and when a block is pruned or too large;
 * errors of the operating system name the file.
 */
export function exportBlocks(
  chain: Blockchain,
  path: string,
  options: ExportOptions,
): Promise<number> {
  return namingFile(path, () => writeBlocks(chain, path, options));
}

async function writeBlocks(
  chain: Blockchain,
  path: string,
  options: ExportOptions,
): Promise<number> {
  const last = Math.min(options.blockStop ?? Infinity, chain.height - 1);
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    const start = size === 0 ? options.blockStart : await continueFile(file, path, last);
    if (size === 0) await file.appendFile(encodeBootstrapHeader(start, last));
    let height = start;
    for (; height <= last && options.signal?.aborted !== true; height++) {
      const content = packageOf(chain, height);
      const most = options.maxBlockBytes ?? Infinity;
      if (content.length > most)
        throw new BootstrapFileError(
          `block ${height} has ${content.length} bytes, and monero-blockchain-import reads ${most} at most: end before it with --block-stop ${height - 1}`,
        );
      await appendPackage(file, content);
      if (height % PROGRESS_EVERY === 0) options.onProgress?.({ height, last });
    }
    return Math.max(0, height - start);
  } finally {
    await file.close();
  }
}

/**
 * Removes a last block that was not written completely because the export was killed, and names the new last block in the
 * header. Returns the height of the first block that is missing in the file.
 */
async function continueFile(file: FileHandle, path: string, last: number): Promise<number> {
  const reader = await BootstrapReader.open(path);
  try {
    const { firstBlock, majorVersion } = reader.header;
    if (majorVersion !== VERSION)
      throw new BootstrapFileError(
        `${path} has version ${majorVersion} and cannot be continued: name a new file`,
      );
    let height = firstBlock;
    while (await reader.skipWhole()) height++;
    await file.truncate(reader.offset);
    if (height <= last) await writeHeader(path, firstBlock, last);
    return height;
  } finally {
    await reader.close();
  }
}

/** A file that is open for appending takes nothing at its start. */
async function writeHeader(path: string, firstBlock: number, last: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.write(encodeBootstrapHeader(firstBlock, last), 0, undefined, 0);
  } finally {
    await file.close();
  }
}

function packageOf(chain: Blockchain, height: number): Uint8Array {
  const bundle = chain.blockBundle(height);
  const meta = chain.store.blockMeta(height);
  if (bundle === undefined || meta === undefined) {
    throw new BootstrapFileError(`block ${height} does not exist or was pruned`);
  }
  const { weight, cumulativeDifficulty, generatedCoins } = meta;
  return encodeBootstrapPackage({ ...bundle, weight, cumulativeDifficulty, generatedCoins });
}

async function appendPackage(file: FileHandle, content: Uint8Array): Promise<void> {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  // One write for size and block, so that a kill rarely leaves one without the other.
  await file.appendFile(Buffer.concat([size, content]));
}
