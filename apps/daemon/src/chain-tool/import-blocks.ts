import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ParsedBootstrapPackage } from '@monero-node/codec';
import type { AddBlockResult, Blockchain, IncomingBlock } from '@monero-node/blockchain';
import { BootstrapFileError, type BootstrapReader } from './bootstrap-reader.ts';

export interface ImportOptions {
  /** Whether to skip the verification of proofs of work, signatures and range proofs. */
  readonly trust: boolean;
  /** Height of the last block to import; by default the last of the file. */
  readonly blockStop?: number | undefined;
  /** Number of blocks that are verified and stored together. */
  readonly batchSize: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly height: number; readonly share: number }) => void;
}

/** Size in bytes at which a batch is complete even with fewer blocks. */
const BATCH_BYTES = 16 * 1024 * 1024;

/**
 * Adds the blocks of a bootstrap file that the chain does not have yet. It can be aborted at any time and called
 * again; blocks that were added stay and are skipped the next time. Returns the height of the chain.
 *
 * Throws BootstrapFileError when the file does not continue this chain or a block breaks a rule.
 */
export async function importBlocks(
  chain: Blockchain,
  reader: BootstrapReader,
  options: ImportOptions,
): Promise<number> {
  const { firstBlock } = reader.header;
  if (firstBlock > chain.height) {
    throw new BootstrapFileError(
      `the file begins at block ${firstBlock}, but the chain ends at block ${chain.height - 1}`,
    );
  }
  // Comparing the top block detects the file of another chain before any work is done.
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
  content: ParsedBootstrapPackage | undefined,
  height: number,
): Promise<void> {
  const own = chain.blockBundle(height);
  if (content === undefined || own === undefined) return;
  if (Buffer.compare(own.block, content.block.blob) !== 0) {
    throw new BootstrapFileError(
      `block ${height} of the file differs from the block of this chain`,
    );
  }
}

async function readBatch(reader: BootstrapReader, count: number): Promise<IncomingBlock[]> {
  const batch: IncomingBlock[] = [];
  let bytes = 0;
  while (batch.length < count && bytes < BATCH_BYTES) {
    const content = await nextUnlessLater(reader, batch.length > 0);
    if (content === undefined) break;
    const { block, txs } = content;
    bytes += txs.reduce((sum, { blob }) => sum + blob.length, block.blob.length);
    batch.push({ block, txs });
    await nextTurn();
  }
  return batch;
}

/** Reads the next block. With `later`, damage ends the batch; the next read reports it, after this batch was added. */
async function nextUnlessLater(
  reader: BootstrapReader,
  later: boolean,
): Promise<ParsedBootstrapPackage | undefined> {
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
  return new BootstrapFileError(`block ${height} of the file was rejected: ${why}`);
}
