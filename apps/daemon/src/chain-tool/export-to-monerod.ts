import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BOOTSTRAP_HEADER_BYTES } from '@monero-node/codec';
import type { Blockchain } from '@monero-node/blockchain';
import type { Network } from '@monero-node/consensus';
import { freeBytes, makeFolder, type ChainReader } from '@monero-node/storage';
import { quoted } from '../installed/own-commands.ts';
import { exportBlocks } from './export-blocks.ts';
import { mebibytes, StepProgress } from './step-progress.ts';
import { fillFolder } from './whole-folder.ts';

/** Folder in monerod's data directory, and file in it, that monero-blockchain-import reads unless told otherwise. */
const EXPORT_DIR = 'export';
const FILE = 'blockchain.raw';
/** Folder inside the target that holds the file until it is complete. */
const INCOMPLETE = 'export-incomplete';
/** Most bytes of a block that monero-blockchain-import reads. Source: BUFFER_SIZE in src/blockchain_utilities/bootstrap_file.h. */
const MAX_BLOCK_BYTES = 2 * 1024 * 1024;
/** Most bytes of a block in the file besides the weight of its transactions and their ids: its size, header and figures. */
const BLOCK_OVERHEAD = 128;
/** Blocks whose figures are read at a time. */
const READ_AT_ONCE = 4096;

export interface ToMonerodOptions {
  readonly network: Pick<Network, 'name' | 'dataDirSuffix' | 'fixedDifficulty'>;
  /** Height of the last block; by default the newest. */
  readonly blockStop?: number | undefined;
  readonly signal: AbortSignal;
  /** Takes lines about how far it is. */
  readonly onProgress: (line: string) => void;
  /** Takes the lines of the result, among them commands to copy. */
  readonly print: (line: string) => void;
  /** Returns the free bytes of a folder's disk; undefined when the system does not say. */
  readonly free?: (folder: string) => number | undefined;
}

/**
 * Writes the chain into a new or empty folder, at the place in it where monero-blockchain-import looks for a chain, so that the
 * folder can become monerod's data directory, and prints the commands for that. The file appears when it is complete and on
 * the disk.
 *
 * Throws Error for a pruned chain, for a folder that is not empty and for a disk that is too small; BootstrapFileError for a block
 * that monero-blockchain-import does not read; the reason of the signal; and the error of the system.
 */
export async function exportToMonerod(
  chain: Blockchain,
  target: string,
  options: ToMonerodOptions,
): Promise<void> {
  const { network, signal, onProgress, print, free = freeBytes } = options;
  if (chain.pruningSeed !== 0) throw new Error(PRUNED);
  const last = Math.min(options.blockStop ?? Infinity, chain.height - 1);
  const subfolder = network.dataDirSuffix;
  const plan = { target, incomplete: INCOMPLETE, subfolder, name: EXPORT_DIR };
  const size = await fillFolder(plan, async (folder) => {
    const { needed, tooLarge } = await mostBytes(chain.store, last, signal);
    if (tooLarge !== undefined) onProgress(mayBeTooLarge(tooLarge));
    requireSpace(resolve(target), needed, free);
    makeFolder(folder, 0o700);
    return writeChain(chain, join(folder, FILE), { last, signal, onProgress });
  });
  const file = join(resolve(target), subfolder, EXPORT_DIR, FILE);
  print(`${last + 1} blocks written to ${file} (${mebibytes(size)} MiB)`);
  for (const line of nextCommands(resolve(target), file, network)) print(line);
}

const PRUNED =
  'this chain is pruned: it lacks signatures of old transactions, and monero-blockchain-import takes no block without them. Nothing was written. Let monerod synchronize from the network, or from a node that is not pruned';

const mayBeTooLarge = (height: number): string =>
  `block ${height} may have more than the ${MAX_BLOCK_BYTES} bytes that monero-blockchain-import reads of one; if it has, nothing is exported. --block-stop ${height - 1} ends the export before it`;

async function writeChain(
  chain: Blockchain,
  path: string,
  {
    last,
    signal,
    onProgress,
  }: Pick<ToMonerodOptions, 'signal' | 'onProgress'> & { readonly last: number },
): Promise<number> {
  const progress = new StepProgress('written', onProgress);
  await exportBlocks(chain, path, {
    blockStart: 0,
    blockStop: last,
    maxBlockBytes: MAX_BLOCK_BYTES,
    signal,
    onProgress: ({ height }) => progress.update(height, last),
  });
  signal.throwIfAborted();
  const file = await open(path, 'r+');
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/**
 * Returns a size in bytes that the file of the blocks up to a height does not exceed, and the height of the first block that may be
 * too large. A transaction weighs at least its bytes.
 */
async function mostBytes(
  store: ChainReader,
  last: number,
  signal: AbortSignal,
): Promise<{ readonly needed: number; readonly tooLarge: number | undefined }> {
  let needed = BOOTSTRAP_HEADER_BYTES;
  let transactions = 0;
  let tooLarge: number | undefined;
  for (let from = 0; from <= last; from += READ_AT_ONCE) {
    const metas = store.blockMetas(from, Math.min(from + READ_AT_ONCE, last + 1));
    for (const [i, { weight, cumulativeTxCount }] of metas.entries()) {
      const bytes = BLOCK_OVERHEAD + weight + 32 * (cumulativeTxCount - transactions);
      if (bytes > MAX_BLOCK_BYTES) tooLarge ??= from + i;
      needed += bytes;
      transactions = cumulativeTxCount;
    }
    await nextTurn();
    signal.throwIfAborted();
  }
  return { needed, tooLarge };
}

function requireSpace(
  folder: string,
  needed: number,
  free: (folder: string) => number | undefined,
): void {
  const left = free(folder);
  if (left === undefined || left >= needed) return;
  throw new Error(
    `the disk of ${folder} has ${mebibytes(left)} MiB free, and the file takes up to ${mebibytes(needed)} MiB: choose a folder on another disk. monerod's database comes beside the file`,
  );
}

/** Returns the lines that say how to go on. The place of the file is named, as older releases look elsewhere on other networks. */
function nextCommands(
  target: string,
  file: string,
  { name, fixedDifficulty }: ToMonerodOptions['network'],
): string[] {
  const options = [
    ...(name === 'mainnet' ? [] : [`--${name}`]),
    // Without it, monerod begins a regtest chain anew.
    ...(name === 'regtest' ? ['--keep-fakechain'] : []),
    ...(fixedDifficulty === undefined ? [] : ['--fixed-difficulty', String(fixedDifficulty)]),
    ...['--data-dir', quoted(target)],
  ].join(' ');
  return [
    "Next, with monerod's programs:",
    `  monero-blockchain-import ${options} --input-file ${quoted(file)}`,
    `  monerod ${options}`,
    'The file may be removed after the import.',
  ];
}
