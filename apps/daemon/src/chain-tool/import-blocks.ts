import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BootstrapPackage } from '@monero-node/codec';
import type { AddBlockResult, BlockBundle, Blockchain } from '@monero-node/blockchain';
import { BootstrapFileError, type BootstrapReader } from './bootstrap-reader.ts';

export interface ImportOptions {
  /** Take the proofs of work and of transactions for granted. */
  readonly trust: boolean;
  /** Height of the last block to import; none: all. */
  readonly blockStop?: number | undefined;
  /** Blocks verified and stored at once. */
  readonly batchSize: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly height: number; readonly share: number }) => void;
}

/** Bytes of blocks after which a batch is added although it has room for more. */
const BATCH_BYTES = 16 * 1024 * 1024;

/**
 * Adds the blocks of a bootstrap file that the chain does not have yet. May be aborted at any time and
 * called again: what was added stays, and is passed over the next time.
 *
 * @returns the height of the chain.
 * @throws BootstrapFileError when the file does not continue this chain, or a block breaks a rule.
 */
export async function importBlocks(
  chain: Blockchain,
  reader: BootstrapReader,
  options: ImportOptions,
): Promise<number> {
  const { firstBlock } = reader.header;
  if (firstBlock > chain.height) {
    throw new BootstrapFileError(
      `the file begins at block ${firstBlock}, the chain ends at block ${chain.height - 1}`,
    );
  }
  // The last block stored is compared, so that the file of another chain is noticed at once.
  let height = firstBlock;
  for (; height < chain.height - 1; height++) if (!(await reader.skip())) return chain.height;
  if (height < chain.height) await compareTop(chain, await reader.next(), height++);
  const stop = Math.min(options.blockStop ?? Infinity, Number.MAX_SAFE_INTEGER);
  while (height <= stop && options.signal?.aborted !== true) {
    const batch = await readBatch(reader, Math.min(options.batchSize, stop - height + 1));
    if (batch.length === 0) break;
    const { results } = await chain.addSpan(batch, { trust: options.trust });
    const failed = results.findIndex((result) => !isStored(result));
    if (failed !== -1) throw refusal(height + failed, results[failed] as AddBlockResult);
    height += batch.length;
    options.onProgress?.({ height: chain.height, share: reader.progress });
  }
  return chain.height;
}

async function compareTop(
  chain: Blockchain,
  content: BootstrapPackage | undefined,
  height: number,
): Promise<void> {
  const own = chain.blockBundle(height);
  if (content === undefined || own === undefined) return;
  if (Buffer.compare(own.block, content.block) !== 0) {
    throw new BootstrapFileError(`block ${height} of the file is not the one of this chain`);
  }
}

async function readBatch(reader: BootstrapReader, count: number): Promise<BlockBundle[]> {
  const batch: BlockBundle[] = [];
  let bytes = 0;
  while (batch.length < count && bytes < BATCH_BYTES) {
    const content = await nextUnlessLater(reader, batch.length > 0);
    if (content === undefined) break;
    const { block, txs } = content;
    bytes += txs.reduce((sum, tx) => sum + tx.length, block.length);
    batch.push({ block, txs });
    await nextTurn();
  }
  return batch;
}

/** Where a damaged file still has blocks before the damage, these come first and the error later. */
async function nextUnlessLater(
  reader: BootstrapReader,
  later: boolean,
): Promise<BootstrapPackage | undefined> {
  try {
    return await reader.next();
  } catch (error) {
    if (later && error instanceof BootstrapFileError) return undefined;
    throw error;
  }
}

function isStored(result: AddBlockResult): boolean {
  return ['added', 'reorganized', 'known'].includes(result.status);
}

function refusal(height: number, result: AddBlockResult): BootstrapFileError {
  const why = result.status === 'invalid' ? result.error.message : result.status;
  return new BootstrapFileError(`block ${height} of the file was refused: ${why}`);
}
