import { Yielder } from '@monero-node/base';
import type { AddBlockResult, Blockchain, IncomingBlock } from '@monero-node/blockchain';
import { bytesEqual } from '@monero-node/codec';
import { BLOCK_GROUP_SIZE } from '@monero-node/consensus';
import { ImportError, type ImportSource } from './import-source.ts';

export interface ImportOptions {
  /** Whether to skip the verification of proofs of work, signatures and range proofs. */
  readonly trust: boolean;
  /** Below this height, blocks need no verification when the hashes of their group match; 0 by default. */
  readonly trustedBelow?: number;
  /** Height of the last block to import; by default the last of the source. */
  readonly blockStop?: number | undefined;
  /** Number of blocks that are verified and stored together. */
  readonly batchSize: number;
  readonly signal?: AbortSignal;
  /** Called once, before the first block that the chain does not have is read. */
  readonly onStart?: (progress: { readonly height: number; readonly share: number }) => void;
  readonly onProgress?: (progress: { readonly height: number; readonly share: number }) => void;
}

export interface ImportResult {
  /** Height of the chain afterwards. */
  readonly height: number;
  /** Whether the next block of the source cannot be verified, because it was pruned. */
  readonly lacksData: boolean;
}

/** Size in bytes at which a batch is complete even with fewer blocks. */
const BATCH_BYTES = 16 * 1024 * 1024;

/**
 * Adds the blocks of a source that the chain does not have yet. It can be aborted at any time and called again; blocks
 * that were added stay and are skipped the next time. A chain that takes blocks of a pruned source becomes pruned, with
 * the same seed.
 *
 * Throws ImportError when the source does not continue this chain, its blocks are not those of the trusted list, or a
 * block breaks a rule, and what the source throws.
 */
export async function importBlocks(
  chain: Blockchain,
  source: ImportSource,
  options: ImportOptions,
): Promise<ImportResult> {
  let height = await skipKnown(chain, source);
  if (height === undefined) return { height: chain.height, lacksData: false };
  options.onStart?.({ height: chain.height, share: source.progress });
  const stop = Math.min(options.blockStop ?? Infinity, Number.MAX_SAFE_INTEGER);
  let approvedTo = height;
  const readFrom = async (from: number): Promise<Batch> => {
    if (from >= approvedTo) approvedTo = await approveGroup(chain, source, from, options);
    return readBatch(source, Math.min(options.batchSize, stop + 1 - from, approvedTo - from));
  };
  let following: Following | undefined;
  while (height <= stop && options.signal?.aborted !== true) {
    const { blocks, share } = await (following?.whole ?? readFrom(height));
    source.check();
    const usable = countUsable(chain, blocks, height);
    height += usable;
    following =
      usable === blocks.length && usable > 0 && height <= stop
        ? beginBatch(readFrom(height))
        : undefined;
    try {
      if (usable > 0)
        await addBatch(chain, source, blocks.slice(0, usable), { trust: options.trust, following });
    } finally {
      await Promise.allSettled([following?.whole]);
    }
    if (usable < blocks.length) return { height: chain.height, lacksData: true };
    if (blocks.length === 0) break;
    options.onProgress?.({ height: chain.height, share });
  }
  return { height: chain.height, lacksData: false };
}

/**
 * Skips the blocks of the source that the chain has; returns the height of the next. Returns undefined when the source
 * ends below the top of the chain. Comparing the top block detects the source of another chain before any work is done.
 */
async function skipKnown(chain: Blockchain, source: ImportSource): Promise<number | undefined> {
  const { firstBlock } = source;
  if (firstBlock > chain.height) {
    throw new ImportError(
      `${source.name} begins at block ${firstBlock}, but the chain ends at block ${chain.height - 1}`,
    );
  }
  const top = chain.height - 1;
  if (firstBlock > top) return firstBlock;
  if (!(await source.skipTo(top))) return undefined;
  const content = await source.next();
  if (content === undefined) return undefined;
  const own = chain.store.blockBlob(top);
  if (own !== undefined && !bytesEqual(own, content.block.blob)) throw otherChain(source, top);
  return top + 1;
}

function otherChain({ name }: ImportSource, height: number): ImportError {
  const advice =
    height === 0
      ? 'it is of another network'
      : 'it is of another chain, or the two chains split below: pop the blocks above the split, or import into an empty data directory';
  return new ImportError(
    `block ${height} of ${name} differs from the block of this chain: ${advice}`,
  );
}

/** The chain will lack the same data as a pruned source, so it takes over the seed and keeps the same blocks whole. */
async function takeOverPruning(
  chain: Blockchain,
  { name, pruningSeed }: ImportSource,
): Promise<void> {
  if (pruningSeed === 0 || chain.pruningSeed === pruningSeed) return;
  if (chain.pruningSeed !== 0) {
    throw new ImportError(
      `${name} was pruned with seed ${pruningSeed} and this chain with ${chain.pruningSeed}, so they keep different blocks: import into an empty data directory`,
    );
  }
  await chain.prune(pruningSeed);
}

/**
 * Compares the ids of the blocks up to the end of a group with the trusted list. Returns the height up to which blocks can
 * be added before the next call. Throws ImportError when they differ.
 */
async function approveGroup(
  chain: Blockchain,
  source: ImportSource,
  height: number,
  { trust, trustedBelow = 0 }: ImportOptions,
): Promise<number> {
  if (trust || height >= trustedBelow) return Infinity;
  const end = (Math.floor(height / BLOCK_GROUP_SIZE) + 1) * BLOCK_GROUP_SIZE;
  const offer = await source.offer(end - height);
  // The blocks of a group that is not whole are verified.
  const whole = offer.ids.length === end - height;
  if (whole && chain.approveIds(offer) < offer.ids.length) {
    throw new ImportError(
      `blocks ${end - BLOCK_GROUP_SIZE} to ${end - 1} of ${source.name} are not those of the list of trusted blocks: it is damaged or of another chain. --verify checks the blocks themselves`,
    );
  }
  return end;
}

/** Returns how many blocks, from the first, are whole or known to be right. */
function countUsable(chain: Blockchain, batch: readonly IncomingBlock[], height: number): number {
  const lacking = batch.findIndex(
    ({ txs }, i) => txs.some((tx) => tx.pruned) && chain.knownWeight(height + i) === undefined,
  );
  return lacking === -1 ? batch.length : lacking;
}

async function addBatch(
  chain: Blockchain,
  source: ImportSource,
  batch: readonly IncomingBlock[],
  { trust, following }: { readonly trust: boolean; readonly following: Following | undefined },
): Promise<void> {
  const { height } = chain;
  await takeOverPruning(chain, source);
  const { results } = await chain.addSpan(batch, { trust, next: () => following?.ready?.blocks });
  const failed = results.findIndex((result) => !isStored(result));
  if (failed !== -1) throw refusal(source, height + failed, results[failed] as AddBlockResult);
  await chain.updatePruning();
}

/** Blocks that are added together. */
interface Batch {
  readonly blocks: readonly IncomingBlock[];
  /** Share of the source before the block after them, 0 to 1. */
  readonly share: number;
}

/** A batch that is read while another one is added. */
interface Following {
  /** An error waits until it is this one's turn. */
  readonly whole: Promise<Batch>;
  /** The batch, once it has been read. */
  ready?: Batch;
}

/** Takes note of a batch that is being read. */
function beginBatch(whole: Promise<Batch>): Following {
  const following: Following = { whole };
  following.whole.then(
    (batch) => (following.ready = batch),
    () => undefined,
  );
  return following;
}

async function readBatch(source: ImportSource, count: number): Promise<Batch> {
  const yielder = new Yielder();
  const blocks: IncomingBlock[] = [];
  let bytes = 0;
  while (blocks.length < count && bytes < BATCH_BYTES) {
    const content = await nextUnlessLater(source, blocks.length > 0);
    if (content === undefined) break;
    const { block, txs } = content;
    bytes += txs.reduce((sum, { blob }) => sum + blob.length, block.blob.length);
    blocks.push({ block, txs });
    await yielder.yieldIfDue();
  }
  return { blocks, share: source.progress };
}

/** Reads the next block. With `later`, an error ends the batch; the next read reports it, after this batch was added. */
async function nextUnlessLater(
  source: ImportSource,
  later: boolean,
): Promise<IncomingBlock | undefined> {
  try {
    return await source.next();
  } catch (error) {
    if (later) return undefined;
    throw error;
  }
}

function isStored(result: AddBlockResult): boolean {
  return ['added', 'reorganized', 'known'].includes(result.status);
}

function refusal({ name }: ImportSource, height: number, result: AddBlockResult): ImportError {
  const why = result.status === 'invalid' ? result.error.message : result.status;
  return new ImportError(`block ${height} of ${name} was rejected: ${why}`);
}
